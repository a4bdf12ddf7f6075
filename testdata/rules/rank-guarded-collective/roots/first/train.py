"""A script sees the modules of its own folder before those of the folders around it."""
import torch.distributed as dist

from helpers import settle


def settle_on_first_bad(x):
    if dist.get_rank() == 0:
        settle(x)  # expect: [rank-guarded-collective] "`all_reduce`"
