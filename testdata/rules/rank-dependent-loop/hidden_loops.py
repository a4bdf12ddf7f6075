"""Loops that are hidden in an expression, or whose share is wrapped: how often they go round follows from what is inside."""
import itertools

import torch.distributed as dist
from tqdm import tqdm


def meet(x):
    dist.all_reduce(x)
    return x


def counted_bad(items):
    rank, size = dist.get_rank(), dist.get_world_size()
    for number, item in enumerate(tqdm(items[rank::size])):  # expect: [rank-dependent-loop] "`all_reduce`"
        meet(item)


def side_by_side_bad(items, names):
    rank, size = dist.get_rank(), dist.get_world_size()
    for item, name in zip(items[rank::size], names[rank::size]):  # expect: [rank-dependent-loop] "`all_reduce`"
        meet(item)


def backwards_bad(items):
    rank, size = dist.get_rank(), dist.get_world_size()
    return any(meet(item) for item in reversed(items[rank::size]))  # expect: [rank-dependent-loop] "`all_reduce`"


def cut_out_bad(items):
    rank, size = dist.get_rank(), dist.get_world_size()
    for item in itertools.islice(items, rank, None, size):  # expect: [rank-dependent-loop] "`all_reduce`"
        meet(item)


def handed_out_bad(items):
    rank, size = dist.get_rank(), dist.get_world_size()
    mine = (item for number, item in enumerate(items) if number % size == rank)
    return [meet(item) for item in mine]  # expect: [rank-dependent-loop] "`all_reduce`"


def mine_of(items, rank, size):
    for number, item in enumerate(items):
        if number % size == rank:
            yield item


def handed_out_by_a_function_bad(items):
    for item in mine_of(items, dist.get_rank(), dist.get_world_size()):  # expect: [rank-dependent-loop] "`all_reduce`"
        meet(item)


def in_longer_steps_bad(items):
    at = 0
    while at < len(items):  # expect: [rank-dependent-loop] "`all_reduce`"
        meet(items[at])
        if dist.get_rank() == 0:
            at += 1
        else:
            at += 2


def one_step_more_bad(items):
    at = 0
    while at < len(items):  # expect: [rank-dependent-loop] "`all_reduce`"
        meet(items[at])
        if dist.get_rank() == 0:
            at += 1
        at += 1


def all_counted_ok(items):
    return sum(meet(item) for number, item in enumerate(items))


def equal_shares_counted_ok(items):
    rank, share = dist.get_rank(), len(items) // dist.get_world_size()
    for number, item in enumerate(items[rank * share : (rank + 1) * share]):
        meet(item)


def counted_from_its_rank_ok(items):
    for number, item in enumerate(items, dist.get_rank()):
        meet(item)


def cut_alike_ok(items):
    for item in itertools.islice(items, 8):
        meet(item)


def in_equal_steps_ok(items):
    at = 0
    while at < len(items):
        meet(items[at])
        if dist.get_rank() == 0:
            print(at)
            at += 2
        else:
            at += 2


def handed_out_to_all_ok(items):
    for item in mine_of(items, 0, 2):
        meet(item)
