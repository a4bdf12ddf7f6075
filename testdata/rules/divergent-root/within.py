"""A root that counts within its group, where ranks of the world are taken."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "ep"))


def each_in_turn_bad(tensor):
    ep_mesh = mesh["ep"]
    group = ep_mesh.get_group()
    for source in range(ep_mesh.size()):
        dist.broadcast(tensor, src=source, group=group)  # expect: [divergent-root] "only one of the groups that the ranks have there"


def compared_within_bad(tensor, sources):
    group = mesh.get_group("ep")
    for source in sources:
        piece = tensor if dist.get_rank(group) == source else torch.empty_like(tensor)
        dist.broadcast(piece, src=source, group=group)  # expect: [divergent-root] "only one of the groups that the ranks have there"


def each_in_turn_ok(tensor):
    group = mesh.get_group("ep")
    for source in dist.get_process_group_ranks(group):
        piece = tensor if dist.get_rank() == source else torch.empty_like(tensor)
        dist.broadcast(piece, src=source, group=group)


def within_the_group_ok(tensor):
    group = mesh.get_group("ep")
    for source in range(dist.get_world_size(group)):
        dist.broadcast(tensor, group=group, group_src=source)


def of_the_world_ok(tensor):
    for source in range(dist.get_world_size()):
        dist.broadcast(tensor, src=source)


def whatever_group_ok(tensor, source, group=None):
    piece = tensor if dist.get_rank(group) == source else torch.empty_like(tensor)
    dist.broadcast(piece, src=source, group=group)
