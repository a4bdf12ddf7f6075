"""Each rank chooses what it calls, and calls it later: what is chosen may be a library's own function."""
import functools

import torch
import torch.distributed as dist


def skip(*_):
    pass


def in_a_variable_bad():
    call = dist.barrier if dist.get_rank() == 0 else skip
    call()  # expect: [rank-guarded-collective] "`barrier`"


def at_once_bad(x):
    (dist.all_reduce if dist.get_rank() == 0 else torch.abs)(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def with_arguments_kept_bad(x):
    if dist.get_rank() == 0:
        run = functools.partial(dist.all_reduce, x)
    else:
        run = functools.partial(print, x)
    run()  # expect: [rank-guarded-collective] "`all_reduce`"


def out_of_a_table_bad():
    calls = [dist.barrier, skip]
    calls[min(dist.get_rank(), 1)]()  # expect: [rank-guarded-collective] "`barrier`"


def pick(rank):
    if rank == 0:
        return dist.barrier
    return skip


def chosen_by_a_callee_bad():
    pick(dist.get_rank())()  # expect: [rank-guarded-collective] "`barrier`"


class Saver:
    def __init__(self):
        self.rank = dist.get_rank()
        self.meet = dist.barrier if self.rank == 0 else skip

    def save_bad(self):
        self.meet()  # expect: [rank-guarded-collective] "`barrier`"


def by_an_option_ok(x, reduces):
    call = dist.all_reduce if reduces else skip
    call(x)


def alike_ok(x):
    call = dist.all_reduce if dist.get_rank() == 0 else functools.partial(dist.all_reduce, op=dist.ReduceOp.SUM)
    call(x)


def without_communication_ok(x):
    call = print if dist.get_rank() == 0 else skip
    call(x)


def by_its_kind_ok(x):
    calls = {"sum": dist.all_reduce, "none": skip}
    calls[x.kind](x)


def of_its_own_group_ok(x, groups):
    rank = dist.get_rank()
    call = functools.partial(dist.all_reduce, group=groups[0]) if rank < 2 else functools.partial(dist.all_reduce, group=groups[1])
    call(x)


def in_a_group_bad(x, group):
    call = dist.all_reduce if dist.get_rank() == 0 else skip
    call(x, group=group)  # expect: [rank-guarded-collective] "`all_reduce` on `group`"
