"""Who is first in its column may speak with its row, but not with its column."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

WORLD_SIZE = 4


def bad():
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    if mesh.get_local_rank("dp") == 0:
        dist.all_reduce(torch.ones(4), group=mesh.get_group("dp"))


def good():
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    if mesh.get_local_rank("dp") == 0:
        dist.all_reduce(torch.ones(4), group=mesh.get_group("tp"))
