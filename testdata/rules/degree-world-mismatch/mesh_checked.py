import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def mesh_ok(config):
    world_size = dist.get_world_size()
    if world_size % config.sp_size != 0:
        raise ValueError("the degree does not divide the number of ranks")
    return init_device_mesh("cuda", (world_size // config.sp_size, config.sp_size), mesh_dim_names=("dp", "sp"))
