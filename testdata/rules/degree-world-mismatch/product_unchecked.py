import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def mesh_bad(sp_size, copies):
    world_size = dist.get_world_size()
    dp_shard = world_size // (sp_size * copies)  # expect: [degree-world-mismatch] "the product of the degrees"
    return init_device_mesh("cuda", (copies, dp_shard, sp_size))
