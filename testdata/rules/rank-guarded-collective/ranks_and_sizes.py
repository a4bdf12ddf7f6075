"""Functions that give a rank and a number of ranks at once."""
import torch.distributed as dist
from mmcv.runner import get_dist_info

from training.utils import get_world_size_and_rank


def agree_on_seed_ok(seed):
    rank, world_size = get_dist_info()
    if rank >= world_size:
        raise ValueError("more ranks than there are")
    if world_size == 1:
        return seed
    dist.broadcast(seed, src=0)
    return seed


def agree_of_several_ok(seed):
    world_size, rank = get_world_size_and_rank()
    if rank == 0 and world_size == 1:
        return seed
    dist.broadcast(seed, src=0)
    return seed


def agree_on_first_bad(seed):
    rank, world_size = get_dist_info()
    if world_size > 1 and rank == 0:
        dist.broadcast(seed, src=0)  # expect: [rank-guarded-collective] "`broadcast`"


def agree_on_second_bad(seed):
    world_size, rank = get_world_size_and_rank()
    if world_size > 1 and rank == 1:
        dist.broadcast(seed, src=0)  # expect: [rank-guarded-collective] "`broadcast`"
