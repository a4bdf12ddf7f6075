import torch.distributed as dist
from megatron.core import mpu


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


def rings_ok(inner):
    rank, size = dist.get_rank(), dist.get_world_size()
    mine = None
    for i in range(size // inner):
        ranks = list(range(i * inner, (i + 1) * inner))
        group = dist.new_group(ranks)
        if rank in ranks:
            mine = group
    return mine
