import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def mesh_bad(config):
    world_size = dist.get_world_size()
    return init_device_mesh("cuda", (world_size // config.sp_size, config.sp_size), mesh_dim_names=("dp", "sp"))  # expect: [degree-world-mismatch] "`sp_size`"


def remainder_by_name_ok(config, local_size):
    world_size = dist.get_world_size()
    return init_device_mesh("cuda", (world_size // local_size, local_size), mesh_dim_names=("replicate", "shard"))
