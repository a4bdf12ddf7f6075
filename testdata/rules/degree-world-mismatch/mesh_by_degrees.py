import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def mesh_ok(fsdp_size, sp_size):
    world_size = dist.get_world_size()
    assert fsdp_size % sp_size == 0, "a sequence lies within one shard group"
    return init_device_mesh("cuda", (world_size // sp_size, sp_size), mesh_dim_names=("dp", "sp"))
