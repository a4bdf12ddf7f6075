"""The norm of sharded gradients is a sum over all ranks, and rank 0 alone asks for it."""
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel

WORLD_SIZE = 2


def trained():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    model(torch.ones(1, 4)).sum().backward()
    return model


def bad():
    model = trained()
    if dist.get_rank() == 0:
        model.clip_grad_norm_(1.0)
    dist.barrier()


def good():
    model = trained()
    norm = model.clip_grad_norm_(1.0)
    if dist.get_rank() == 0:
        print(end="" if norm else "zero")
    dist.barrier()
