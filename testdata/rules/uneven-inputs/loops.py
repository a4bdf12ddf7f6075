"""Loops over data around wrapped models."""
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
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
