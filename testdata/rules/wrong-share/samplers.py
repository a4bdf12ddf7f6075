"""What a sampler is told of the ranks, and of the order that it deals out."""
import os

import torch
import torch.distributed as dist
from torch.utils.data import DistributedSampler


def constant_rank_bad(dataset):
    return DistributedSampler(dataset, num_replicas=dist.get_world_size(), rank=0)  # expect: [wrong-share] "rank 0 on every rank"


def constant_rank_by_default_bad(dataset):
    return DistributedSampler(dataset, rank=0, shuffle=False)  # expect: [wrong-share] "rank 0 on every rank"


def local_rank_bad(dataset):
    rank = int(os.environ["LOCAL_RANK"])
    return DistributedSampler(dataset, dist.get_world_size(), rank)  # expect: [wrong-share] "by the local rank"


def gpus_of_one_machine_bad(dataset):
    count = torch.cuda.device_count()
    return DistributedSampler(dataset, num_replicas=count, rank=dist.get_rank())  # expect: [wrong-share] "of one machine"


def seed_of_the_rank_bad(dataset, seed):
    return DistributedSampler(dataset, seed=seed + dist.get_rank())  # expect: [wrong-share] "a seed of each rank's own (world)"


def last_rank_bad(dataset):
    return DistributedSampler(dataset, rank=dist.get_world_size() - 1)  # expect: [wrong-share] "the share of one rank"


def one_more_bad(dataset):
    size = dist.get_world_size() + 1
    return DistributedSampler(dataset, num_replicas=size, rank=dist.get_rank())  # expect: [wrong-share] "more or fewer than there are"


def a_part_of_the_ranks_ok(dataset, tp):
    return DistributedSampler(dataset, dist.get_world_size() // tp, dist.get_rank() // tp)


def seed_of_all_ok(dataset, seed):
    return DistributedSampler(dataset, seed=seed)


def seed_that_is_not_used_ok(dataset, seed):
    return DistributedSampler(dataset, shuffle=False, seed=seed + dist.get_rank())


def asked_ok(dataset):
    return DistributedSampler(dataset, num_replicas=dist.get_world_size(), rank=dist.get_rank())


def by_default_ok(dataset):
    return DistributedSampler(dataset)


def of_one_rank_ok(dataset):
    return DistributedSampler(dataset, num_replicas=1, rank=0)


def on_one_machine_ok(dataset):
    return DistributedSampler(dataset, torch.cuda.device_count(), int(os.environ["LOCAL_RANK"]))


def first_of_eight_ok(dataset):
    return dataset.shard(num_shards=8, index=0)


def of_data_parallel_ranks_ok(dataset, mesh):
    return DistributedSampler(dataset, mesh["dp"].size(), mesh["dp"].get_local_rank())


def without_the_server_ok(dataset, serve):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank == 0:
        return serve()
    return DistributedSampler(dataset, num_replicas=size - 1, rank=rank - 1)


def of_all_but_the_last_ok(dataset):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank < size - 1:
        return DistributedSampler(dataset, num_replicas=size - 1, rank=rank)
    return None


def first_share_of_many_bad(dataset, parts):
    return DistributedSampler(dataset, num_replicas=parts, rank=0)  # expect: [wrong-share] "rank 0 on every rank"


def first_share_of_eight_ok(dataset):
    return DistributedSampler(dataset, num_replicas=8, rank=0)
