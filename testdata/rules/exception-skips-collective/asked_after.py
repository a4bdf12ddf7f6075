"""What a handler sets, and a branch behind it asks."""
import os

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


def met_before_it_is_asked_fn(x):  # not found: the ranks meet once, and then no more
    ok = True
    try:
        own("state")
    except OSError:
        ok = False
    dist.barrier()
    if ok:
        dist.all_reduce(x)


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
