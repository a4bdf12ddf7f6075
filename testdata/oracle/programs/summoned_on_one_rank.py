"""FSDP gathers the weights that rank 0 wants to look at, and rank 0 alone comes."""
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel

WORLD_SIZE = 2


def bad():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    if dist.get_rank() == 0:
        with FullyShardedDataParallel.summon_full_params(model):
            print(end="")
    dist.barrier()


def good():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    with FullyShardedDataParallel.summon_full_params(model):
        if dist.get_rank() == 0:
            print(end="")
    dist.barrier()
