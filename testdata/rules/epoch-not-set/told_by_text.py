from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def begin(loader, epoch):
    tell = getattr(loader.sampler, "set_epoch", None)
    if tell is not None:
        tell(epoch)


def main_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in range(epochs):
        begin(loader, epoch)
        for batch in loader:
            model(batch).backward()
