"""DistributedDataParallel compares and broadcasts the weights when it is made, and rank 0 alone makes it."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

WORLD_SIZE = 2


def bad():
    model = nn.Linear(4, 4)
    if dist.get_rank() == 0:
        model = DistributedDataParallel(model)
    model(torch.ones(1, 4)).sum().backward()


def good():
    model = DistributedDataParallel(nn.Linear(4, 4))
    model(torch.ones(1, 4)).sum().backward()
