"""Groups are created by all ranks of the world, in one order, with the same lists."""
import torch.distributed as dist
from megatron.core.parallel_state import create_group
from torch.distributed.device_mesh import init_device_mesh


def guarded_by_rank_bad(members):
    if dist.get_rank() == 0:
        return dist.new_group(members)  # expect: [group-creation-not-by-all] "`new_group`"
    return None


def guarded_by_membership_bad(members):
    group = None
    if dist.get_rank() in members:
        group = dist.new_group(members)  # expect: [group-creation-not-by-all] "`new_group`"
    return group


def own_members_bad(size):
    first = dist.get_rank() - dist.get_rank() % size
    return dist.new_group(range(first, first + size))  # expect: [group-creation-not-by-all] "`new_group`"


def own_neighbour_bad():
    rank = dist.get_rank()
    return dist.new_group([rank, rank ^ 1])  # expect: [group-creation-not-by-all] "`new_group`"


def after_an_early_return_bad(members):
    group = dist.new_group(members)
    if dist.get_rank() not in members:
        return None, None
    monitor = dist.new_group(members, backend="gloo")  # expect: [group-creation-not-by-all] "`new_group`"
    return group, monitor


def mesh_on_one_rank_bad():
    if dist.get_rank() == 0:
        return init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))  # expect: [group-creation-not-by-all] "`init_device_mesh`"
    return None


class Gatherer:
    def __init__(self, members):
        self.group = dist.new_group(members)


def hidden_in_a_constructor_bad(members):
    if dist.get_rank() in members:
        return Gatherer(members)  # expect: [group-creation-not-by-all] "`new_group`"
    return None


def last_rank_only_bad(members):
    rank = dist.get_rank()
    if rank == dist.get_world_size() - 1:
        dist.new_group(members)  # expect: [group-creation-not-by-all] "`new_group`"


def all_groups_by_all_ranks_ok(size):
    mine = None
    for first in range(0, dist.get_world_size(), size):
        members = list(range(first, first + size))
        group = dist.new_group(members)
        if dist.get_rank() in members:
            mine = group
    return mine


def nested_loops_ok(dp, tp):
    for replica in range(dp):
        for lane in range(tp):
            members = [replica * tp + other for other in range(tp)]
            group = dist.new_group(members)
            if replica * tp + lane == dist.get_rank():
                return_group = group
    return return_group


def same_list_ok(members):
    return dist.new_group(members)


def configured_ok(members, config):
    if config.use_gloo:
        return dist.new_group(members, backend="gloo")
    return None


def gathered_lists_ok(size):
    first = dist.get_rank() // size * size
    lists = [None] * dist.get_world_size()
    dist.all_gather_object(lists, list(range(first, first + size)))
    for members in lists:
        dist.new_group(members)


def enumeration_ok(size):
    lists = [list(range(first, first + size)) for first in range(0, dist.get_world_size(), size)]
    group, _ = dist.new_subgroups_by_enumeration(lists)
    return group


def members_only_synchronisation_ok(members):
    if dist.get_rank() in members:
        return dist.new_group(members, use_local_synchronization=True)
    return None


def mesh_on_all_ranks_ok():
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    if dist.get_rank() == 0:
        print(mesh)
    return mesh


def group_of_members_that_ask_alone_ok(ranks):
    if dist.get_rank() in ranks:
        return create_group(ranks, backend="gloo", use_local_synchronization=True)


def group_of_members_bad(ranks):
    if dist.get_rank() in ranks:
        return create_group(ranks, backend="gloo")  # expect: [group-creation-not-by-all] "`new_group`"
