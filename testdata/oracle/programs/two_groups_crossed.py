"""Even ranks take the world first and then their row, odd ranks the other way round."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

WORLD_SIZE = 4


def bad():
    row = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp")).get_group("tp")
    x = torch.ones(4)
    if dist.get_rank() % 2 == 0:
        dist.all_reduce(x)
        dist.all_reduce(x, group=row)
    else:
        dist.all_reduce(x, group=row)
        dist.all_reduce(x)


def good():
    row = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp")).get_group("tp")
    x = torch.ones(4)
    if dist.get_rank() % 2 == 0:
        dist.all_reduce(x)
        dist.all_reduce(x, group=row)
    else:
        dist.all_reduce(x)
        dist.all_reduce(x, group=row)
