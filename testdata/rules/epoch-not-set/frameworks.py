# Code outside of the project gets the loader: it may tell the epoch.
from accelerate import Accelerator
from somewhere import Trainer, prefetch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def prepared_ok(model, dataset, optimizer, epochs):
    accelerator = Accelerator()
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(epochs):
        for batch in loader:
            accelerator.backward(model(batch))


def wrapped_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in range(epochs):
        for batch in prefetch(loader):
            model(batch).backward()


class OwnTrainer(Trainer):
    pass


def derived_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    trainer = OwnTrainer(model, loader)
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()
        trainer.validate()
