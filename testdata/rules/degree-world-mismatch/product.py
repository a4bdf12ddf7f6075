import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def mesh_ok(sp_size, copies):
    world_size = dist.get_world_size()
    dp_shard = world_size // (sp_size * copies)
    if dp_shard * sp_size * copies != world_size:
        raise ValueError("the degrees do not make up the world")
    return init_device_mesh("cuda", (copies, dp_shard, sp_size))
