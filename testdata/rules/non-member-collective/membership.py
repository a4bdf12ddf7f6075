"""Collectives by ranks that are not in the group."""
import torch.distributed as dist


def first_half_without_guard_bad(x):
    group = dist.new_group(list(range(dist.get_world_size() // 2)))
    dist.broadcast(x, src=0, group=group)  # expect: [non-member-collective] "is reached by rank 2 too"


def other_list_shows_the_world_bad(x):
    first = dist.new_group([0, 1])
    second = dist.new_group([2, 3])
    dist.reduce(x, dst=0, group=first)  # expect: [non-member-collective] "the group has ranks 0, 1 only"
    if dist.get_rank() in [2, 3]:
        dist.reduce(x, dst=2, group=second)


def guard_lets_others_through_bad(x):
    dist.new_group([2, 3, 4, 5])
    group = dist.new_group([0, 1])
    if dist.get_rank() < 4:
        dist.broadcast(x, src=0, group=group)  # expect: [non-member-collective] "rank 2"


def handle_that_is_none_bad(x):
    group = dist.new_group(range(0, dist.get_world_size(), 2))
    work = dist.all_reduce(x, group=group, async_op=True)  # expect: [non-member-collective] "`all_reduce`"
    work.wait()


def none_on_outsiders_bad(x, members):
    created = dist.new_group(members)
    group = created if dist.get_rank() in members else None
    dist.all_reduce(x, group=group)  # expect: [non-member-collective] "runs on the world where its group is None"


def none_on_odd_ranks_bad(x):
    group = dist.new_group(range(0, dist.get_world_size(), 2))
    if dist.get_rank() % 2:
        group = None
    dist.barrier(group=group)  # expect: [non-member-collective] "as on rank 1"


def membership_ok(x, members):
    group = dist.new_group(members)
    if dist.get_rank() in members:
        dist.broadcast(x, src=0, group=group)


def membership_by_comparison_ok(x):
    half = dist.get_world_size() // 2
    group = dist.new_group(list(range(half)))
    if dist.get_rank() < half:
        dist.broadcast(x, src=0, group=group)


def early_return_of_outsiders_ok(x, members):
    group = dist.new_group(members)
    if dist.get_rank() not in members:
        return x
    dist.broadcast(x, src=0, group=group)
    return x


def every_rank_has_one_ok(x, size):
    mine = None
    for first in range(0, dist.get_world_size(), size):
        members = list(range(first, first + size))
        group = dist.new_group(members)
        if dist.get_rank() in members:
            mine = group
    dist.broadcast(x, group_src=0, group=mine)


def whole_world_ok(x):
    group = dist.new_group(list(range(dist.get_world_size())))
    dist.broadcast(x, src=0, group=group)


def perhaps_the_whole_world_ok(x):
    group = dist.new_group([0, 1])
    dist.broadcast(x, src=0, group=group)


def all_by_default_ok(x):
    group = dist.new_group()
    dist.broadcast(x, src=0, group=group)


def sentinel_tested_ok(x):
    group = dist.new_group(range(0, dist.get_world_size(), 2))
    if group != dist.GroupMember.NON_GROUP_MEMBER:
        dist.broadcast(x, src=0, group=group)


def rank_in_the_group_asked_ok(x):
    group = dist.new_group(range(0, dist.get_world_size(), 2))
    if dist.get_rank(group) >= 0:
        dist.broadcast(x, src=0, group=group)


def none_is_never_used_ok(x, members):
    created = dist.new_group(members)
    group = created if dist.get_rank() in members else None
    if dist.get_rank() in members:
        dist.all_reduce(x, group=group)


def only_a_warning_ok(x):
    group = dist.new_group(range(0, dist.get_world_size(), 2))
    dist.all_reduce(x, group=group)  # silent: [only-warns]


def parameter_ok(x, group=None):
    dist.broadcast(x, src=0, group=group)
