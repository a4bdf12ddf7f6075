from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main_bad(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for batch in loader:
            model(batch).backward()
