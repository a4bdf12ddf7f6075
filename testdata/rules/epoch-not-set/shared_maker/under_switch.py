"""A function that makes a sampler only where it is told to, and programs that tell it or do not."""
from torch.utils.data import DataLoader, DistributedSampler


def make_loader(dataset, distributed, train=True):
    sampler = DistributedSampler(dataset, shuffle=train) if distributed else None
    return DataLoader(dataset, sampler=sampler), sampler


def make_both(train, test, distributed):
    return make_loader(train, distributed), make_loader(test, distributed, train=False)


class OnOneDevice:
    def __init__(self, dataset):
        self.loader, self.sampler = make_loader(dataset, False)

    def run_ok(self, model, epochs):
        for epoch in range(epochs):
            for batch in self.loader:
                model(batch).backward()


def on_one_device_ok(model, train, test, epochs):
    (loader, sampler), (other, _) = make_both(train, test, distributed=False)
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()


def on_many_bad(model, train, epochs):
    loader, sampler = make_loader(train, True)
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for batch in loader:
            model(batch).backward()
