"""Rank 0 reduces first and then gathers; the others do it the other way round."""
import torch
import torch.distributed as dist

WORLD_SIZE = 2


def bad():
    x, parts = torch.ones(4), [torch.empty(4), torch.empty(4)]
    if dist.get_rank() == 0:
        dist.all_reduce(x)
        dist.all_gather(parts, x)
    else:
        dist.all_gather(parts, x)
        dist.all_reduce(x)


def good():
    x, parts = torch.ones(4), [torch.empty(4), torch.empty(4)]
    if dist.get_rank() == 0:
        dist.all_reduce(x)
        dist.all_gather(parts, x)
    else:
        dist.all_reduce(x)
        dist.all_gather(parts, x)
