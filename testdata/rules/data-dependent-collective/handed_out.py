"""Batches that a generator of the project hands on: each of them, or some."""
import itertools
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


class Progress:
    def every(self, iterable, freq):
        done = 0
        for one in iterable:
            yield one
            done += 1
            if done % freq == 0:
                print(done)

    def numbered(self, iterable):
        for i, one in enumerate(iterable):
            print(i)
            yield one

    def some(self, iterable, most):
        for i, one in enumerate(iterable):
            if i == most:
                break
            yield one


def again_and_again(batches):
    while True:
        for batch in batches:
            yield batch


def on_a_device(loader, device):
    for batch in loader:
        yield {key: part.to(device) for key, part in batch.items()}


def by_its_own_name(batch):
    for batch in batch:
        yield batch


def until_the_end(batches):
    for batch in batches:
        if batch is None:
            return
        yield batch


def lengths(items):
    for item in items:
        yield len(item)


def each_of_them_bad(loader, model):
    for i, batch in enumerate(Progress().every(loader, 50)):
        loss = model(batch)
        if torch.isnan(loss).any():
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def with_a_number_bad(loader, model):
    for batch in Progress().numbered(loader):
        loss = model(batch)
        if torch.isnan(loss).any():
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def the_first_bad(loader, model):
    for batch in Progress().some(loader, 100):
        loss = model(batch)
        if torch.isnan(loss).any():
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def without_end_bad(loader, model, steps):
    for step, batch in zip(range(steps), again_and_again(loader)):
        loss = model(batch)
        if torch.isnan(loss).any():
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def through_a_wrapped_model_bad(dataset, net, steps):
    loader = DataLoader(dataset)
    model = DistributedDataParallel(net)
    for batch in Progress().every(loader, 50):
        loss = model(batch)  # expect: [data-dependent-collective] "its batch"
        if torch.isfinite(loss):
            loss.backward()


def on_a_device_bad(loader, model, device):
    for batch in on_a_device(loader, device):
        loss = model(**batch)
        if torch.isnan(loss).any():
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def agreed_on_ok(loader, model):
    for batch in Progress().every(loader, 50):
        loss = model(batch)
        broken = torch.isnan(loss).any()
        dist.all_reduce(broken)
        if broken:
            continue
        dist.all_reduce(loss)


def of_no_loader_ok(names, x):
    for name in Progress().every(names, 50):
        if name == "skip":
            continue
        dist.all_reduce(x)


def made_of_each_ok(names, x):
    for length in lengths(names):
        if length == 0:
            continue
        dist.all_reduce(x)


def as_many_as_files_ok(loader, x, folder):
    here = sorted(os.listdir(folder))
    for batch in itertools.islice(loader, len(here)):  # silent: [alike-on-ranks]
        dist.all_reduce(x)


def by_its_own_name_fn(loader, model):  # not found: the iterable and its element go by one name
    for batch in by_its_own_name(loader):
        loss = model(batch)
        if torch.isnan(loss).any():
            continue
        dist.all_reduce(loss)


def until_the_end_bad(loader, model):
    for batch in until_the_end(loader):
        loss = model(batch)
        if torch.isnan(loss).any():
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)
