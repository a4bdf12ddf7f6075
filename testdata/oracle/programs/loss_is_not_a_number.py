"""A rank whose loss is not a number skips its backward pass, in which the others reduce their gradients."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

WORLD_SIZE = 2


def batch():
    return torch.full((1, 4), float("nan") if dist.get_rank() == 1 else 1.0)


def bad():
    loss = nn.Linear(4, 4)(batch()).sum()
    if torch.isnan(loss).item():
        return
    dist.all_reduce(loss)


def good():
    model = DistributedDataParallel(nn.Linear(4, 4))
    loss = model(batch()).sum()
    skip = torch.isnan(loss).float()
    dist.all_reduce(skip, op=dist.ReduceOp.MAX)
    if skip.item() > 0:
        return
    loss.backward()
