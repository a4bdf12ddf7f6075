import os

import torch.distributed as dist
from megatron.core import mpu
from torch.distributed.device_mesh import init_device_mesh


def constant_root_bad(x):
    dist.broadcast(x, 0, group=mpu.get_data_parallel_group())  # expect: [divergent-root] "this number is in only one of the groups"


def source_rank_ok(x):
    dist.broadcast(x, mpu.get_data_parallel_src_rank(), group=mpu.get_data_parallel_group())


def only_the_group_of_the_root_ok(x):
    root = 0
    if mpu.get_data_parallel_src_rank() == root:
        dist.broadcast(x, root, group=mpu.get_data_parallel_group())


def root_of_the_world_ok(x):
    dist.broadcast(x, 0)


def root_of_a_group_handed_over_ok(x, group):
    dist.broadcast(x, 0, group=group)


def rings_bad(sp_group, inner):
    sp_rank, sp_size = dist.get_rank(sp_group), dist.get_world_size(sp_group)
    mine = None
    for i in range(sp_size // inner):
        ranks = list(range(i * inner, (i + 1) * inner))
        group = dist.new_group(ranks)  # expect: [divergent-root] "searched for a rank within a group"
        if sp_rank in ranks:
            mine = group
    return mine


def halves_ok(group, inner):
    rank, size = dist.get_rank(group), dist.get_world_size(group)
    mine = None
    for i in range(size // inner):
        ranks = list(range(i * inner, (i + 1) * inner))
        half = dist.new_group(ranks)  # silent: [handed-world]
        if rank in ranks:
            mine = half
    return mine


def halves_of_all(inner):
    return halves_ok(None, inner)


def halves_of_a_part_bad(group, inner):
    rank, size = dist.get_rank(group), dist.get_world_size(group)
    mine = None
    for i in range(size // inner):
        ranks = list(range(i * inner, (i + 1) * inner))
        half = dist.new_group(ranks)  # expect: [divergent-root] "searched for a rank within a group"
        if rank in ranks:
            mine = half
    return mine


def hand_on(group, inner):
    return halves_of_a_part_bad(group, inner)


def halves_of_a_dimension(replicas, shards):
    mesh = init_device_mesh("cuda", (replicas, shards), mesh_dim_names=("replicate", "shard"))
    halves_of_a_part_bad(None, 2)
    return hand_on(mesh["shard"].get_group(), 2)


def groups_of_the_node_bad(count):
    local_rank, size = int(os.environ["LOCAL_RANK"]), dist.get_world_size()
    mine = None
    for i in range(size // count):
        ranks = list(range(i * count, (i + 1) * count))
        group = dist.new_group(ranks)  # expect: [divergent-root] "searched for a rank on the node"
        if local_rank in ranks:  # expect-note: "searched here"
            mine = group
    return mine


def rings_ok(inner):
    rank, size = dist.get_rank(), dist.get_world_size()
    mine = None
    for i in range(size // inner):
        ranks = list(range(i * inner, (i + 1) * inner))
        group = dist.new_group(ranks)
        if rank in ranks:
            mine = group
    return mine


def dimension_of_a_mesh_bad(x, replicas, shards):
    mesh = init_device_mesh("cuda", (replicas, shards), mesh_dim_names=("replicate", "shard"))
    dist.broadcast(x, src=0, group=mesh["shard"].get_group())  # expect: [divergent-root] "this number is in only one of the groups"


def only_dimension_of_a_mesh_ok(x, shards):
    mesh = init_device_mesh("cuda", (shards,), mesh_dim_names=("shard",))
    dist.broadcast(x, src=0, group=mesh["shard"].get_group())
    mesh = init_device_mesh("cuda", (1, shards), mesh_dim_names=("replicate", "shard"))
    dist.broadcast(x, src=0, group=mesh["shard"].get_group())


def group_with_this_rank(size):
    rank, mine = dist.get_rank(), None
    for first in range(0, dist.get_world_size(), size):
        ranks = list(range(first, first + size))
        group = dist.new_group(ranks)
        if rank in ranks:
            mine = group
    return mine


def group_with_this_rank_bad(x, size):
    mine = group_with_this_rank(size)
    dist.broadcast(x, src=0, group=mine)  # expect: [divergent-root] "this number is in only one of the groups"


def group_with_this_rank_ok(x, size):
    mine = group_with_this_rank(size)
    dist.broadcast(x, src=dist.get_global_rank(mine, 0), group=mine)
    dist.broadcast(x, group_src=0, group=mine)
    if dist.get_rank() < size:
        dist.broadcast(x, src=0, group=mine)


def group_out_of_a_list_bad(x, size):
    groups = [dist.new_group(list(range(i, i + size))) for i in range(0, dist.get_world_size(), size)]
    dist.broadcast(x, src=0, group=groups[dist.get_rank() // size])  # expect: [divergent-root] "this number is in only one of the groups"
