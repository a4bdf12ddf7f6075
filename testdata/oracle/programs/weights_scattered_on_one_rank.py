"""Rank 0 alone distributes a tensor that every rank has read."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

WORLD_SIZE = 2


def bad():
    mesh = init_device_mesh("cpu", (2,))
    weight = torch.ones(4, 4)
    if dist.get_rank() == 0:
        distribute_tensor(weight, mesh, [Shard(0)])
    dist.barrier()


def good():
    mesh = init_device_mesh("cpu", (2,))
    weight = torch.ones(4, 4)
    if dist.get_rank() == 0:
        distribute_tensor(weight, mesh, [Shard(0)], src_data_rank=None)
    dist.barrier()
