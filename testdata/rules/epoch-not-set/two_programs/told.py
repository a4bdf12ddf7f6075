from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main_ok(model, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            model(batch).backward()
