# A list that a rank fills: how many elements it has follows from who appends, not from what is appended.
import torch.distributed as dist


def own_numbers_ok(x, n):
    scaled = []
    for i in range(n):
        scaled.append(x * dist.get_rank())
    for y in scaled:
        dist.all_reduce(y)


def asked_for_emptiness_ok(x, n):
    scaled = []
    for i in range(n):
        scaled.append(x * dist.get_rank())
    if not scaled:
        return
    dist.all_reduce(x)


def display_of_ranks_ok(x):
    for _ in [dist.get_rank(), 2]:
        dist.all_reduce(x)


def own_share_bad(x, n):
    mine = []
    for i in range(n):
        if i % dist.get_world_size() == dist.get_rank():
            mine.append(i)
    for _ in mine:  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x)


def own_share_gathered_ok(x, n):
    mine = []
    for i in range(n):
        if i % dist.get_world_size() == dist.get_rank():
            mine.append(i)
    everything = [None] * dist.get_world_size()
    dist.all_gather_object(everything, mine)


def gathered_where_there_are_others_ok(batches, wanted, x):
    collected = 0
    while collected < wanted:
        found = next(batches)
        if dist.get_world_size() > 1:
            everything = [None] * dist.get_world_size()
            dist.all_gather_object(everything, found)
            found = everything
        collected += len(found)
        dist.all_reduce(x)


def own_until_it_is_gathered_bad(batches, wanted):
    found = next(batches)
    while len(found) < wanted:  # expect: [rank-dependent-loop]
        everything = [None] * dist.get_world_size()
        dist.all_gather_object(everything, found)
        found = found + next(batches)
