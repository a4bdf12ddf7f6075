"""Samplers that no loader is given."""
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, SequentialSampler


def forgotten_bad(dataset):
    sampler = DistributedSampler(dataset)  # expect: [wrong-share] "is given to no loader"
    return DataLoader(dataset, batch_size=4)


def told_the_epoch_bad(dataset, epochs):
    sampler = DistributedSampler(dataset)  # expect: [wrong-share] "is given to no loader"
    loader = DataLoader(dataset, shuffle=True)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            print(batch)


def asked_whether_it_is_there_bad(dataset):
    sampler = None
    if dist.is_initialized():
        sampler = DistributedSampler(dataset)  # expect: [wrong-share] "is given to no loader"
    if sampler is not None:
        print("by ranks")
    return DataLoader(dataset, shuffle=(sampler is None), drop_last=False if sampler else True)


def overwritten_bad(dataset):
    sampler = DistributedSampler(dataset)  # expect: [wrong-share] "is given to no loader"
    sampler = SequentialSampler(dataset)
    return DataLoader(dataset, sampler=sampler)


def given_ok(dataset):
    sampler = DistributedSampler(dataset)
    return DataLoader(dataset, sampler=sampler)


def on_one_way_ok(dataset, is_whole):
    sampler = DistributedSampler(dataset)
    if is_whole:
        sampler = SequentialSampler(dataset)
    return DataLoader(dataset, sampler=sampler)


def chosen_ok(dataset, is_whole):
    sampler = DistributedSampler(dataset)
    return DataLoader(dataset, sampler=None if is_whole else sampler)


def by_hand_ok(dataset):
    sampler = DistributedSampler(dataset)
    return [dataset[i] for i in sampler]


def kept_ok(trainer, dataset):
    sampler = DistributedSampler(dataset)
    trainer.sampler = sampler
    return trainer


def read_within_ok(dataset):
    sampler = DistributedSampler(dataset)

    def load():
        return DataLoader(dataset, sampler=sampler)

    return load


def returned_ok(dataset):
    return DistributedSampler(dataset)
