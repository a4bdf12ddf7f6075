"""What gives each rank its turns of something, and what divides it without a rest."""
import math

import numpy as np
import torch.distributed as dist
from datasets.distributed import split_dataset_by_node
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, Subset, SubsetRandomSampler


def sharded_bad(module, dataset):
    model = DistributedDataParallel(module)
    loader = DataLoader(dataset.shard(num_shards=dist.get_world_size(), index=dist.get_rank()), batch_size=8)
    for batch in loader:  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def split_by_node_bad(module, dataset):
    model = DistributedDataParallel(module)
    mine = split_dataset_by_node(dataset, rank=dist.get_rank(), world_size=dist.get_world_size())
    for batch in DataLoader(mine, batch_size=8):  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def subset_bad(module, dataset):
    model = DistributedDataParallel(module)
    mine = Subset(dataset, range(dist.get_rank(), len(dataset), dist.get_world_size()))
    for batch in DataLoader(mine, batch_size=8):  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def subset_of_list_bad(module, dataset):
    model = DistributedDataParallel(module)
    indices = list(range(len(dataset)))[dist.get_rank()::dist.get_world_size()]
    for batch in DataLoader(Subset(dataset, indices), batch_size=8):  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def array_split_bad(module, samples):
    model = DistributedDataParallel(module)
    for sample in np.array_split(samples, dist.get_world_size())[dist.get_rank()]:  # expect: [uneven-inputs] "differs between ranks"
        model(sample).sum().backward()


def own_turns_bad(module, samples):
    model = DistributedDataParallel(module)
    mine = [s for i, s in enumerate(samples) if i % dist.get_world_size() == dist.get_rank()]
    for sample in mine:  # expect: [uneven-inputs] "differs between ranks"
        model(sample).sum().backward()


def appended_in_turns_bad(module, samples, rank, world_size):
    model = DistributedDataParallel(module)
    mine = []
    for i, sample in enumerate(samples):
        if i % world_size != rank:
            continue
        mine.append(sample)
    for sample in mine:  # expect: [uneven-inputs] "differs between ranks"
        model(sample).sum().backward()


def rounded_up_fn(module, samples):  # not found: what `ceil` gives is a number like any other
    model = DistributedDataParallel(module)
    rank, world = dist.get_rank(), dist.get_world_size()
    share = math.ceil(len(samples) / world)
    for sample in samples[rank * share : (rank + 1) * share]:
        model(sample).sum().backward()


def rounded_up_by_hand_bad(module, samples):
    model = DistributedDataParallel(module)
    rank, world = dist.get_rank(), dist.get_world_size()
    share = (len(samples) + world - 1) // world
    for sample in samples[rank * share : (rank + 1) * share]:  # expect: [uneven-inputs] "differs between ranks"
        model(sample).sum().backward()


def by_number_bad(module, samples):
    model = DistributedDataParallel(module)
    mine = samples[dist.get_rank()::dist.get_world_size()]
    for i in range(len(mine)):  # expect: [uneven-inputs] "differs between ranks"
        model(mine[i]).sum().backward()


def cut_first_ok(module, samples):
    model = DistributedDataParallel(module)
    world = dist.get_world_size()
    samples = samples[: len(samples) // world * world]
    for sample in samples[dist.get_rank()::world]:
        model(sample).sum().backward()


def cut_first_by_number_ok(module, samples):
    model = DistributedDataParallel(module)
    world = dist.get_world_size()
    samples = samples[: len(samples) // world * world]
    mine = samples[dist.get_rank()::world]
    for i in range(len(mine)):
        model(mine[i]).sum().backward()


def padded_by_number_ok(module, samples):
    model = DistributedDataParallel(module)
    world = dist.get_world_size()
    samples = samples + samples[: -len(samples) % world]
    mine = samples[dist.get_rank()::world]
    for i in range(0, len(mine), 4):
        model(mine[i]).sum().backward()


def padded_ok(module, samples):
    model = DistributedDataParallel(module)
    world = dist.get_world_size()
    samples = samples + samples[: -len(samples) % world]
    for sample in samples[dist.get_rank()::world]:
        model(sample).sum().backward()


def last_batch_left_away_ok(module, dataset):
    model = DistributedDataParallel(module)
    mine = dataset.shard(num_shards=dist.get_world_size(), index=dist.get_rank())
    for batch in DataLoader(mine, batch_size=8, drop_last=True):
        model(batch).sum().backward()


def sampled_ok(module, dataset):
    model = DistributedDataParallel(module)
    for batch in DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset)):
        model(batch).sum().backward()


def same_subset_ok(module, dataset):
    model = DistributedDataParallel(module)
    for batch in DataLoader(Subset(dataset, range(0, len(dataset), 2)), batch_size=8):
        model(batch).sum().backward()


def same_shard_ok(module, dataset, split):
    model = DistributedDataParallel(module)
    for batch in DataLoader(dataset.shard(num_shards=10, index=split), batch_size=8):
        model(batch).sum().backward()


def own_groups_ok(groups, x):
    mine = [g for g in groups if dist.get_rank() in g.ranks]
    for group in mine:
        dist.all_reduce(x, group=group.group)


def gathered_behind_ok(module, samples):
    out = [module(s) for i, s in enumerate(samples) if i % dist.get_world_size() == dist.get_rank()]
    whole = [None] * dist.get_world_size()
    dist.all_gather_object(whole, out)
    return whole


def sampled_bad(module, dataset):
    model = DistributedDataParallel(module)
    mine = range(dist.get_rank(), len(dataset), dist.get_world_size())
    loader = DataLoader(dataset, batch_size=8, drop_last=False, sampler=SubsetRandomSampler(mine))
    for batch in loader:  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def sampled_of_list_bad(module, dataset):
    model = DistributedDataParallel(module)
    mine = list(range(len(dataset)))[dist.get_rank()::dist.get_world_size()]
    for batch in DataLoader(dataset, 8, sampler=SubsetRandomSampler(mine)):  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def sampled_and_dropped_ok(module, dataset):
    model = DistributedDataParallel(module)
    mine = range(dist.get_rank(), len(dataset), dist.get_world_size())
    for batch in DataLoader(dataset, 8, sampler=SubsetRandomSampler(mine), drop_last=True):
        model(batch).sum().backward()


def sampled_from_all_ok(module, dataset):
    model = DistributedDataParallel(module)
    for batch in DataLoader(dataset, 8, sampler=SubsetRandomSampler(range(len(dataset)))):
        model(batch).sum().backward()
