"""A function of the project that is called like a library's and gives back something else."""
import os

import torch.distributed as dist


def get_dist_info():
    world_size = int(os.environ["WORLD_SIZE"])
    return world_size > 1, int(os.environ["RANK"]), world_size


def reduced_ok(x):
    is_distributed, rank, world_size = get_dist_info()
    if is_distributed:
        dist.all_reduce(x)


def on_one_bad(x):
    is_distributed, rank, world_size = get_dist_info()
    if rank == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]
