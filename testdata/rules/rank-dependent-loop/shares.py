"""A rank's share of something: its ends differ between ranks, its length need not."""
import itertools
import os

import numpy as np
import torch.distributed as dist
from torch.utils.data import DataLoader, Subset


def equal_shares_ok(x, total):
    rank, size = dist.get_rank(), dist.get_world_size()
    share = total // size
    for i in range(rank * share, (rank + 1) * share):
        dist.all_reduce(x[i])


def until_own_end_bad(x, share):
    rank = dist.get_rank()
    for i in range(0, (rank + 1) * share):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x[i])


def by_number_bad(samples):
    mine = samples[dist.get_rank()::dist.get_world_size()]
    for i in range(len(mine)):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(mine[i])


def in_chunks_bad(samples):
    mine = samples[dist.get_rank()::dist.get_world_size()]
    for i in range(0, len(mine), 4):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(mine[i])


def until_none_is_left_bad(samples):
    mine = samples[dist.get_rank()::dist.get_world_size()]
    i = 0
    while i < len(mine):  # expect: [rank-dependent-loop] "more rounds"
        dist.all_reduce(mine[i])
        i += 1


def as_many_as_mine_bad(samples, batches):
    mine = samples[dist.get_rank()::dist.get_world_size()]
    for batch in itertools.islice(batches, len(mine)):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(batch)


def until_as_many_as_mine_bad(samples, batches):
    mine = samples[dist.get_rank()::dist.get_world_size()]
    for step, batch in enumerate(batches):
        if step >= len(mine):
            break  # expect: [early-exit-before-collective] "`all_reduce`"
        dist.all_reduce(batch)


def as_many_as_listed_bad(folder, batches):
    mine = [f for f in os.listdir(folder) if hash(f) % dist.get_world_size() == dist.get_rank()]
    for batch in itertools.islice(batches, len(mine)):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(batch)


def as_many_as_there_are_ok(folder, batches):
    listed = os.listdir(folder)
    for batch in itertools.islice(batches, len(listed)):  # silent: [alike-on-ranks]
        dist.all_reduce(batch)


def cut_first_ok(samples):
    size = dist.get_world_size()
    samples = samples[: len(samples) // size * size]
    mine = samples[dist.get_rank()::size]
    for i in range(len(mine)):
        dist.all_reduce(mine[i])


def of_one_length_ok(samples, share):
    first = dist.get_rank() * share
    mine = samples[first : first + share]
    for i in range(len(mine)):
        dist.all_reduce(mine[i])


def longer_share_ok(samples):
    size = dist.get_world_size()
    assert len(samples) >= size
    mine = samples[dist.get_rank()::size]
    if len(mine) > 0:
        dist.all_reduce(mine[0])


def rest_of_rounds_ok(samples, x):
    size = dist.get_world_size()
    mine = samples[dist.get_rank()::size]
    for i in range(min(len(mine), len(samples) // size)):
        dist.all_reduce(x[i])


def of_a_group_bad(parts, group):
    for part in parts[dist.get_rank() :: dist.get_world_size()]:  # expect: [rank-dependent-loop] "`all_reduce` on `group`"
        dist.all_reduce(part, group=group)


def counted_by_numpy_bad(model, data):
    for i in np.arange(dist.get_rank(), len(data), dist.get_world_size()):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(model(data[i]))


def loaded_from_a_subset_bad(model, data):
    indices = np.arange(dist.get_rank(), len(data), dist.get_world_size())
    loader = DataLoader(Subset(data, indices), batch_size=8)
    for batch in loader:  # expect: [rank-dependent-loop] "`loader`"
        dist.all_reduce(model(batch))


def counted_alike_ok(model, data):
    for i in np.arange(0, len(data), dist.get_world_size()):
        dist.all_reduce(model(data[i]))


def up_to_a_multiple_ok(samples, x):
    rank, size = dist.get_rank(), dist.get_world_size()
    for i in range(rank, len(samples) // size * size, size):
        dist.all_reduce(x[i])


def without_the_rest_ok(samples, x):
    rank, size = dist.get_rank(), dist.get_world_size()
    for i in range(rank, len(samples) - len(samples) % size, size):
        dist.all_reduce(x[i])


def cut_by_its_ends_ok(samples):
    rank, size = dist.get_rank(), dist.get_world_size()
    for sample in samples[rank : len(samples) // size * size : size]:
        dist.all_reduce(sample)


def up_to_another_multiple_bad(samples, x, share):
    rank, size = dist.get_rank(), dist.get_world_size()
    for i in range(rank, len(samples) // share * share, size):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x[i])


def in_steps_of_a_number_bad(samples, x):
    for i in range(dist.get_rank(), len(samples) // 8 * 8, 8):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x[i])


def up_to_its_number_bad(items, others):
    for item in others[: dist.get_rank()]:  # expect: [rank-dependent-loop] "more elements"
        dist.all_reduce(item)
