# Samplers and loaders that the project derives from the library's.
import torch
from torch.utils.data import DataLoader, Sampler
from torch.utils.data.distributed import DistributedSampler


class Padded(DistributedSampler):
    def __init__(self, dataset, shuffle=True):
        super().__init__(dataset, shuffle=shuffle)
        self.name = "padded"


class InOrder(DistributedSampler):
    def __init__(self, dataset):
        super().__init__(dataset, shuffle=False)


class DrawnAnew(DistributedSampler):
    def __iter__(self):
        return iter(torch.randperm(len(self.dataset)).tolist())


class Counting(DistributedSampler):
    def __iter__(self):
        self.epoch += 1
        return super().__iter__()


class Mixed(Sampler):
    def __init__(self, sampler, generator):
        self.sampler = sampler
        self.generator = generator

    def __iter__(self):
        numbers = list(self.sampler)
        return iter(numbers[i] for i in torch.randperm(len(numbers), generator=self.generator))


class Loader(DataLoader):
    pass


def derived_bad(model, dataset, epochs):
    loader = Loader(dataset, sampler=Padded(dataset))
    for epoch in range(epochs):  # expect: [epoch-not-set] "`Padded`"
        for batch in loader:
            model(batch).backward()


def unshuffled_ok(model, dataset, epochs):
    loader = Loader(dataset, sampler=Padded(dataset, False))
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()


def in_order_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=InOrder(dataset))
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()


def drawn_anew_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DrawnAnew(dataset))
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()


def counting_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=Counting(dataset))
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()


def mixed_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=Mixed(DistributedSampler(dataset), torch.Generator()))
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()
