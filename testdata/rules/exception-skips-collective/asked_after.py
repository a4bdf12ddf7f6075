"""What a handler sets, and a branch behind it asks."""
import os
import sys

import torch
import torch.distributed as dist


def own(name):
    return torch.load(f"/scratch/{dist.get_rank()}/{name}")


def nothing_read_bad():
    try:
        state = own("state")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        state = None
    if state is not None:
        dist.all_reduce(state)


def flag_bad(x):
    ok = True
    try:
        os.remove(f"/scratch/{dist.get_rank()}")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        ok = False
    if ok:
        dist.all_reduce(x)


def left_over_it_bad(x):
    state = None
    try:
        state = own("state")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        print("no state")
    if state is None:
        return
    dist.all_reduce(x)


def loop_in_the_try_bad(names, x):
    try:
        for name in names:
            own(name)
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        return
    dist.all_reduce(x)


def in_a_loop_bad(names, x):
    for name in names:
        failed = False
        try:
            own(name)
        except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
            failed = True
        if failed:
            continue
        dist.all_reduce(x)


def both_ways_ok(x):
    ok = True
    try:
        own("state")
    except OSError:
        ok = False
    if ok:
        print("read")
    dist.all_reduce(x)
    if ok:
        print("reduced")


def agreed_ok(x):
    ok = torch.ones(1)
    try:
        own("state")
    except OSError:
        ok = torch.zeros(1)
    dist.all_reduce(ok, op=dist.ReduceOp.MIN)
    if ok.item() > 0:
        dist.all_reduce(x)


def agreed_on_a_number_ok(x):
    ok = 1
    try:
        own("state")
    except OSError:
        ok = 0
    flag = torch.tensor(ok)
    dist.all_reduce(flag, op=dist.ReduceOp.MIN)
    if flag:
        dist.all_reduce(x)


def asked_of_something_else_ok(x, train):
    ok = True
    try:
        own("state")
    except OSError:
        ok = False
    if train:
        dist.all_reduce(x)
    return ok


def answered_by_a_helper_fn(x):  # not found: the handler is the helper's, and the branch its caller's
    if reads("state"):
        dist.all_reduce(x)


def reads(name):
    try:
        own(name)
    except OSError:
        return False
    return True


def barrier_does_not_tell_bad(x):
    ok = True
    try:
        own("state")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        ok = False
    dist.barrier()
    if ok:
        dist.all_reduce(x)


def cleaned_up_bad(x):
    try:
        own("state")
        ok = True
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        ok = False
    finally:
        print("done")
    if ok:
        dist.all_reduce(x)


def collectives_in_a_loop_bad(xs):
    ok = True
    try:
        own("state")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        ok = False
    for x in xs:
        if ok:
            dist.all_reduce(x)


def other_collective_bad(x):
    failed = False
    try:
        own("state")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        failed = True
    if failed:
        dist.barrier()
    else:
        dist.all_reduce(x)


def same_in_both_arms_ok(x, zero):
    ok = True
    try:
        own("state")
    except OSError:
        ok = False
    if ok:
        dist.all_reduce(x)
    else:
        dist.all_reduce(zero)


def nothing_to_add_ok(x, zero):
    state = None
    try:
        state = own("state")
    except OSError:
        print("no state")
    if state is None:
        dist.all_reduce(zero)
        return
    dist.all_reduce(x)


def raised_behind_it_ok(x):
    ok = True
    try:
        own("state")
    except OSError:
        ok = False
    if not ok:
        dist.destroy_process_group()
        raise RuntimeError("no state")
    dist.all_reduce(x)


def aborted_behind_it_ok(x):
    ok = True
    try:
        own("state")
    except OSError:
        ok = False
    if not ok:
        os.abort()
    dist.all_reduce(x)


def exits_behind_it_bad(x):
    ok = True
    try:
        own("state")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        ok = False
    if not ok:
        sys.exit()
    dist.all_reduce(x)


def takes_what_is_computed_ok(x):
    ok = True
    try:
        own("state")
    except (KeyError, ZeroDivisionError):
        ok = False
    if ok:
        dist.all_reduce(x)


def both_ways_wait_bad(x, together):
    try:
        os.remove(f"/scratch/{dist.get_rank()}")
    except OSError:  # expect: [exception-skips-collective] "the others wait in"
        return
    if together:
        dist.all_reduce(x)
    dist.barrier()
