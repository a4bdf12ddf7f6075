"""Each rank broadcasts from itself."""
import torch
import torch.distributed as dist

WORLD_SIZE = 2


def bad():
    dist.broadcast(torch.ones(4), src=dist.get_rank())


def good():
    dist.broadcast(torch.ones(4), src=0)
