"""Rank 0 alone asks for the whole of a sharded tensor, to log its norm."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard

WORLD_SIZE = 2


def bad():
    mesh = init_device_mesh("cpu", (2,))
    weight = DTensor.from_local(torch.ones(2, 4), mesh, [Shard(0)])
    if dist.get_rank() == 0:
        print(end="" if weight.full_tensor().norm() else "zero")
    dist.barrier()


def good():
    mesh = init_device_mesh("cpu", (2,))
    weight = DTensor.from_local(torch.ones(2, 4), mesh, [Shard(0)])
    whole = weight.full_tensor()
    if dist.get_rank() == 0:
        print(end="" if whole.norm() else "zero")
    dist.barrier()
