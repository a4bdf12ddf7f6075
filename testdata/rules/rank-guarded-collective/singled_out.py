"""One rank that is not the first, by its name."""
import torch.distributed as dist


def third_alone_bad(x):
    if dist.get_rank() == 2:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "by rank 2 and not by the other ranks"


def last_alone_bad(x):
    if dist.get_rank() == dist.get_world_size() - 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "by the last rank and not by the other ranks"


def all_but_the_last_bad(x):
    if dist.get_rank() != dist.get_world_size() - 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "by every rank but the last and not by the last rank"


def all_but_the_first_bad(x):
    if dist.get_rank() > 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "by every rank but 0 and not by rank 0"
