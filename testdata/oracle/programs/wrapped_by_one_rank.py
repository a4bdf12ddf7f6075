"""Rank 0 alone shards its model. Nobody waits in that; rank 0 does in its first forward pass."""
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

WORLD_SIZE = 2


def bad():
    mesh = init_device_mesh("cpu", (2,))
    model = nn.Linear(4, 4)
    if dist.get_rank() == 0:
        fully_shard(model, mesh=mesh)
    model(torch.ones(1, 4))


def good():
    mesh = init_device_mesh("cpu", (2,))
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=mesh)
    model(torch.ones(1, 4))
