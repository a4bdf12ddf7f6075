# Each arm makes a group, but not the same one.
import torch.distributed as dist


def halves_bad():
    if dist.get_rank() < 2:
        group = dist.new_group([0, 1])  # expect: [group-creation-not-by-all] "makes a group of [0, 1] on one rank"
    else:
        group = dist.new_group([2, 3])
    return group


def other_order_bad():
    if dist.get_rank() == 0:
        first = dist.new_group([0, 1])  # expect: [group-creation-not-by-all] "another makes one of [0, 2]"
        second = dist.new_group([0, 2])
    else:
        second = dist.new_group([0, 2])
        first = dist.new_group([0, 1])
    return first, second


def one_list_ok():
    if dist.get_rank() == 0:
        group = dist.new_group([0, 1], timeout=None)
    else:
        group = dist.new_group([0, 1])
    return group


def every_group_ok():
    low, high = dist.new_group([0, 1]), dist.new_group([2, 3])
    return low if dist.get_rank() < 2 else high


def members_only_ok():
    if dist.get_rank() < 2:
        group = dist.new_group([0, 1], use_local_synchronization=True)
    else:
        group = dist.new_group([2, 3], use_local_synchronization=True)
    return group
