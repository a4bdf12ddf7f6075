"""A mesh of two axes makes groups, and rank 0 alone makes it."""
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

WORLD_SIZE = 4


def bad():
    if dist.get_rank() == 0:
        init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    dist.barrier()


def good():
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    if dist.get_rank() == 0:
        print(end="" if mesh.size() else "empty")
    dist.barrier()
