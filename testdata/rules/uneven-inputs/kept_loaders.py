"""Loaders that the constructor keeps by a method that it calls."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, SubsetRandomSampler


class Dealing:
    def __init__(self, net, samples):
        self.model = DistributedDataParallel(net)
        self.samples = samples
        self.prepare()

    def prepare(self):
        numbers = list(range(len(self.samples)))[dist.get_rank()::dist.get_world_size()]
        self.loader = DataLoader(self.samples, sampler=SubsetRandomSampler(numbers))

    def train(self):
        for x in self.loader:
            self.model(x).mean().backward()


class Sampling:
    def __init__(self, net, samples):
        self.model = DistributedDataParallel(net)
        self.samples = samples
        self.prepare()

    def prepare(self):
        self.loader = DataLoader(self.samples, sampler=DistributedSampler(self.samples))

    def train(self):
        for x in self.loader:
            self.model(x).mean().backward()


def dealt_bad(net, samples):
    Dealing(net, samples).train()  # expect: [uneven-inputs]


def sampled_ok(net, samples):
    Sampling(net, samples).train()
