"""A rank that has nothing to do leaves before the others reduce."""
import torch
import torch.distributed as dist

WORLD_SIZE = 3


def bad():
    if dist.get_rank() == 2:
        return
    dist.all_reduce(torch.ones(4))


def good():
    x = torch.zeros(4) if dist.get_rank() == 2 else torch.ones(4)
    dist.all_reduce(x)
