"""Collectives by ranks that are not in the group."""
import torch.distributed as dist


def no_guard_bad(x):
    group = dist.new_group([0, 1])
    if dist.get_world_size() > 2:
        dist.all_reduce(x, group=group)  # expect: [non-member-collective] "`all_reduce`"


def first_half_without_guard_bad(x):
    group = dist.new_group(list(range(dist.get_world_size() // 2)))
    dist.all_reduce(x, group=group)  # expect: [non-member-collective] "`all_reduce`"


def guard_lets_others_through_bad(x):
    group = dist.new_group([0, 1])
    if dist.get_rank() < 4:
        dist.all_reduce(x, group=group)  # expect: [non-member-collective] "`all_reduce`"


def complement_bad(x):
    members = [0, 2]
    group = dist.new_group(members)
    if dist.get_rank() not in members:
        dist.all_reduce(x, group=group)  # expect: [non-member-collective] "`all_reduce`"


def none_on_outsiders_bad(x, members):
    created = dist.new_group(members)
    group = created if dist.get_rank() in members else None
    dist.all_reduce(x, group=group)  # expect: [non-member-collective] "`all_reduce`"


def membership_ok(x, members):
    group = dist.new_group(members)
    if dist.get_rank() in members:
        dist.all_reduce(x, group=group)


def membership_by_comparison_ok(x):
    half = dist.get_world_size() // 2
    group = dist.new_group(list(range(half)))
    if dist.get_rank() < half:
        dist.all_reduce(x, group=group)


def early_return_of_outsiders_ok(x, members):
    group = dist.new_group(members)
    if dist.get_rank() not in members:
        return x
    dist.all_reduce(x, group=group)
    return x


def every_rank_has_one_ok(x, size):
    mine = None
    for first in range(0, dist.get_world_size(), size):
        members = list(range(first, first + size))
        group = dist.new_group(members)
        if dist.get_rank() in members:
            mine = group
    dist.all_reduce(x, group=mine)


def whole_world_ok(x):
    group = dist.new_group(list(range(dist.get_world_size())))
    dist.all_reduce(x, group=group)


def all_by_default_ok(x):
    group = dist.new_group()
    dist.all_reduce(x, group=group)


def sentinel_tested_ok(x, members):
    group = dist.new_group(members)
    if group != dist.GroupMember.NON_GROUP_MEMBER:
        dist.all_reduce(x, group=group)


def parameter_ok(x, group=None):
    dist.all_reduce(x, group=group)
