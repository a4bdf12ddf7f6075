"""A file with a mistake in it: what is around the mistake is checked. The application reports the place."""
import torch.distributed as dist


def before_the_mistake(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def broken(x):
    x = = 1  # expect: [partial-parse]
    return x


def behind_the_mistake(x):
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
