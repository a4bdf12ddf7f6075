"""Items that are dealt out to all ranks, and a model that ranks of a group work on together."""
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def encode(mesh, x):
    dist.all_reduce(x, group=mesh.get_group("cp"))


def each_takes_its_own(items, args):
    mesh = init_device_mesh("cuda", (args.dp, args.cp), mesh_dim_names=("dp", "cp"))
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # silent: [one-batch]
        encode(mesh, x)


def each_takes_its_own_on_all_bad(items):
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: [rank-dependent-loop]
        dist.all_reduce(x)
