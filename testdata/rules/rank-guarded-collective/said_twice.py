"""A condition that says one thing twice is that one thing."""
import torch.distributed as dist


def same_flag_ok(x, first, second):
    if (second or first) and first:
        return
    if first:
        if dist.get_rank() == 0:
            dist.all_reduce(x)


def other_flag_bad(x, first, second):
    if (second or first) and first:
        return
    if second:
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "is issued by rank 0 and not by the other ranks"
