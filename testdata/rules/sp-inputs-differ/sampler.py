import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from parallel import get_sequence_parallel_group, get_data_parallel_rank, get_data_parallel_world_size


def attention(x):
    return x, get_sequence_parallel_group()  # expect-note: "sequence-parallel group"


def loader_bad(dataset):
    return DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=True))  # expect: [sp-inputs-differ] "global rank"


def told_bad(dataset):
    return DistributedSampler(dataset, num_replicas=dist.get_world_size(), rank=dist.get_rank())  # expect: [sp-inputs-differ]


def loader_ok(dataset, mesh):
    first = DistributedSampler(dataset, num_replicas=get_data_parallel_world_size(), rank=get_data_parallel_rank())
    return first, DistributedSampler(dataset, rank=mesh.get_local_rank("dp"), num_replicas=4)


def evaluated_ok(dataset):
    # In its order: what is evaluated goes without sequence parallelism more often than not.
    return DistributedSampler(dataset, shuffle=False)  # silent: [keeps-order]
