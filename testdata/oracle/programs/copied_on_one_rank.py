"""A sharded tensor is copied into a replicated one, which gathers it, where a rank has found the key in its file."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard

WORLD_SIZE = 2


def bad():
    mesh = init_device_mesh("cpu", (2,))
    weight = DTensor.from_local(torch.zeros(4, 4), mesh, [Replicate()])
    loaded = DTensor.from_local(torch.ones(2, 4), mesh, [Shard(0)])
    if dist.get_rank() == 0:
        weight.copy_(loaded)
    dist.barrier()


def good():
    mesh = init_device_mesh("cpu", (2,))
    weight = DTensor.from_local(torch.zeros(4, 4), mesh, [Replicate()])
    loaded = DTensor.from_local(torch.ones(2, 4), mesh, [Shard(0)])
    weight.copy_(loaded)
    if dist.get_rank() == 0:
        print(end="")
    dist.barrier()
