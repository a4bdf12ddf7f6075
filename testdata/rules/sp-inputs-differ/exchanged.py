"""Samples that the ranks of a sequence-parallel group share before they work on them, and some that they do not."""
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from adapters import SampleSharing, Prefetcher
from parallel import get_sequence_parallel_group


def shared_by_group(loader):
    group = get_sequence_parallel_group()  # expect-note: "sequence-parallel group"
    for batch in loader:
        dist.broadcast(batch, src=dist.get_global_rank(group, 0), group=group)
        yield batch


def moved(loader, device):
    for batch in loader:
        yield batch.to(device)


def train_ok(dataset, model):
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, sampler=sampler)
    for batch in shared_by_group(loader):
        model(batch)


def train_bad(dataset, model, device):
    sampler = DistributedSampler(dataset, shuffle=True)  # expect: [sp-inputs-differ] "global rank"
    loader = DataLoader(dataset, sampler=sampler)
    for batch in moved(loader, device):
        model(batch)


def loader_and_size(dataset):
    sampler = DistributedSampler(dataset, shuffle=True)  # silent: [taken-with-group]
    loader = DataLoader(dataset, sampler=sampler)
    return loader, len(dataset)


def train_through_adapter_ok(dataset, model):
    loader, size = loader_and_size(dataset)
    for batch in SampleSharing(loader, sp_group=get_sequence_parallel_group()):
        model(batch)


def train_with_prefetch_bad(dataset, model, device):
    sampler = DistributedSampler(dataset, shuffle=True)  # expect: [sp-inputs-differ] "global rank"
    loader = DataLoader(dataset, sampler=sampler)
    for batch in Prefetcher(loader, device):
        model(batch)


def train_with_own_batches_bad(dataset, model, args):
    sampler = DistributedSampler(dataset, shuffle=True)  # expect: [sp-inputs-differ] "global rank"
    for batch in DataLoader(dataset, sampler=sampler, batch_size=args.sp_batch, num_workers=args.cp_workers):
        model(batch)


def train_with_nested_loader_ok(dataset, model):
    def dealt():
        sampler = DistributedSampler(dataset, shuffle=True)  # silent: [taken-with-group]
        return DataLoader(dataset, sampler=sampler), len(dataset)

    loader, size = dealt()
    for batch in SampleSharing(loader, sp_group=get_sequence_parallel_group()):
        model(batch)
