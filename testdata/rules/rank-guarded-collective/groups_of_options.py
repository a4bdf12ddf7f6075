"""A group that is made of options in a dictionary: it need not be all ranks."""
import torch.distributed as dist

_TENSOR_PARALLEL_GROUP = None


def make(ranks, timeout):
    options = {"ranks": ranks, "timeout": timeout}
    if timeout is None:
        options.pop("timeout")
    return dist.new_group(**options)


def set_up(lists, timeout):
    global _TENSOR_PARALLEL_GROUP
    for ranks in lists:
        group = make(ranks, timeout)
        if dist.get_rank() in ranks:
            _TENSOR_PARALLEL_GROUP = group


def tear_down():
    global _TENSOR_PARALLEL_GROUP
    _TENSOR_PARALLEL_GROUP = None


def meet_fn(tp_rank):
    if tp_rank == 0:
        dist.barrier(group=_TENSOR_PARALLEL_GROUP)  # not found: the group's name does not count where it is known how it was made


def meet_in_turn_ok(dp_rank):
    if dp_rank == 0:
        dist.barrier(group=_TENSOR_PARALLEL_GROUP)


def meet_all_bad(tp_rank):
    everyone = dist.new_group()
    if tp_rank == 0:
        dist.barrier(group=everyone)  # expect: [rank-guarded-collective] "`barrier` on `world`"
