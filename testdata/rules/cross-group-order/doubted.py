# Rounds that come before the other group on one rank, and behind it on the other.
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

MESH = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))


def rounds_before_or_behind_ok(x, y):
    rank = MESH.get_local_rank("tp")
    for _ in range(1 if rank == 0 else 0):
        dist.all_reduce(x)  # silent: [parts-in-loop]
    dist.all_reduce(y, group=MESH.get_group("tp"))
    for _ in range(0 if rank == 0 else 1):
        dist.all_reduce(x)
