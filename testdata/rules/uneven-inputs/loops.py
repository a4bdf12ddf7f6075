"""Loops over data around wrapped models."""
import os

import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


class Evaluator:
    def __init__(self, module, samples):
        self.model = FSDP(module, device_id=torch.cuda.current_device())
        self.samples = samples

    def own_share_bad(self):
        rank, world_size = dist.get_rank(), dist.get_world_size()
        for sample in self.samples[rank::world_size]:  # expect: [uneven-inputs] "differs between ranks"
            self.model(sample)

    def own_indices_bad(self):
        for i in range(dist.get_rank(), len(self.samples), dist.get_world_size()):  # expect: [uneven-inputs] "differs between ranks"
            self.model(self.samples[i])

    def sampler_ok(self):
        for batch in DataLoader(self.samples, sampler=DistributedSampler(self.samples)):
            self.model(batch)

    def everything_ok(self):
        for sample in self.samples:
            self.model(sample)

    def inner_module_ok(self, module: torch.nn.Linear):
        for sample in self.samples[dist.get_rank()::dist.get_world_size()]:
            module(sample)


class Trainer:
    def __init__(self, module, samples):
        self.model = DistributedDataParallel(module)
        self.samples = samples

    def joined_by_model_ok(self):
        with self.model.join():
            for sample in self.samples[dist.get_rank()::dist.get_world_size()]:  # silent: [answered-by-join]
                self.model(sample).sum().backward()

    def joined_ok(self):
        with Join([self.model]):
            for sample in self.samples[dist.get_rank()::dist.get_world_size()]:
                self.model(sample).sum().backward()

    def not_joined_bad(self):
        for sample in self.samples[dist.get_rank()::dist.get_world_size()]:  # expect: [uneven-inputs] "differs between ranks"
            self.model(sample)

    def joined_around_another_collective_bad(self):
        with self.model.join():
            for sample in self.samples[dist.get_rank()::dist.get_world_size()]:  # expect: [rank-dependent-loop] "`all_reduce`"
                dist.all_reduce(sample)


def own_samples(samples):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    samples = samples[: len(samples) // world_size * world_size]
    return samples[rank::world_size]


def cut_by_a_helper_ok(model: FSDP, samples):
    for sample in own_samples(samples):  # silent: [equal-shares]
        model(sample)


def dealt_out(samples):
    return samples[dist.get_rank()::dist.get_world_size()]


def dealt_out_by_a_helper_bad(model: FSDP, samples):
    for sample in dealt_out(samples):  # expect: [uneven-inputs] "differs between ranks"
        model(sample)


class PartsOfBatches:
    def __init__(self, module, samples):
        self.model = DistributedDataParallel(module)
        self.loader = DataLoader(samples, sampler=DistributedSampler(samples, shuffle=False))

    def train_ok(self, limit, size):
        parts = 1
        if os.path.exists(limit):
            parts = max(1, 4 // size)
        for _ in range(size):
            self.epoch(self.loader, parts)  # silent: [alike-on-ranks]

    def epoch(self, loader, parts=1):
        for batch in loader:
            pieces = batch.chunk(parts) if parts > 1 else [batch]
            for piece in range(min(parts, len(pieces))):
                self.model(pieces[piece]).sum().backward()
