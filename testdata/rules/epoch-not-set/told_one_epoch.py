# Every round calls `set_epoch` with the same number.
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Shard:
    def set_epoch(self, epoch):
        self.epoch = epoch


def constant_bad(model, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        sampler.set_epoch(0)
        for batch in loader:
            model(batch).backward()
