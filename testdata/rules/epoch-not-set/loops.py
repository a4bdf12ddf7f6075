# Shapes of loops over epochs, and of the way from the sampler to them. Nothing in this file tells an epoch.
import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler
from torch.utils.data.distributed import DistributedSampler as Shares
from tqdm import tqdm


def plain_bad(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=True))
    for _ in range(epochs):  # expect: [epoch-not-set] "in the same order: no `set_epoch` tells the `DistributedSampler`"
        for batch in loader:
            model(batch).backward()


def numbered_bad(model, dataset, epochs, rank, world_size):
    sampler = Shares(dataset, world_size, rank)
    loader = DataLoader(dataset, 32, False, sampler)
    for epoch in tqdm(range(epochs)):  # expect: [epoch-not-set] "`DistributedSampler`"
        for step, batch in enumerate(tqdm(loader, desc=f"epoch {epoch}")):
            model(batch).backward()


def if_distributed_bad(model, dataset, args):
    sampler = DistributedSampler(dataset) if args.distributed else None
    loader = DataLoader(dataset, sampler=sampler, shuffle=sampler is None)
    epoch = 0
    while epoch < args.epochs:  # expect: [epoch-not-set] "in the same order"
        for batch in loader:
            model(batch).backward()
        epoch += 1


def by_batches_bad(model, dataset, epochs):
    sampler = DistributedSampler(dataset)
    batches = BatchSampler(sampler, 8, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=batches)
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        batches_of_epoch = iter(loader)
        for _ in range(len(loader)):
            model(next(batches_of_epoch)).backward()


def begun_again_bad(model, dataset, steps):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    batches = iter(loader)
    for _ in range(steps):  # expect: [epoch-not-set] "in the same order"
        try:
            batch = next(batches)
        except StopIteration:
            batches = iter(loader)
            batch = next(batches)
        model(batch).backward()


def make_loaders(train, test):
    samplers = {"train": DistributedSampler(train), "test": DistributedSampler(test, shuffle=False)}
    return {
        "train": DataLoader(train, sampler=samplers["train"]),
        "test": DataLoader(test, sampler=samplers["test"]),
    }


def train_epoch(model, loader):
    for batch in loader:
        step(model, batch)


def step(model, batch):
    loss = model(batch)
    loss.backward()


@torch.no_grad()
def evaluate(model, loader):
    return sum(model(batch).item() for batch in loader)


def by_functions_bad(model, train, test, epochs):
    loaders = make_loaders(train, test)
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        train_epoch(model, loaders["train"])
        evaluate(model, loaders["test"])


def forever_bad(loader):
    while True:  # expect: [epoch-not-set] "in the same order"
        for batch in loader:
            yield batch


def train_forever(model, dataset, steps):
    batches = forever_bad(DataLoader(dataset, sampler=DistributedSampler(dataset)))
    for _ in range(steps):
        model(next(batches)).backward()


def in_phases_bad(model, train, test, epochs):
    loaders = {
        "train": DataLoader(train, sampler=DistributedSampler(train)),
        "test": DataLoader(test, sampler=DistributedSampler(test, shuffle=False)),
    }
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for phase in ("train", "test"):
            for batch in loaders[phase]:
                loss = model(batch)
                if phase == "train":
                    loss.backward()


def build(dataset, shuffle):
    return DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=shuffle))


def shuffled_by_argument_bad(model, dataset, epochs):
    loader = build(dataset, True)
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        train_epoch(model, loader)


def kept_by_argument_ok(model, dataset, epochs):
    loader = build(dataset, False)
    for epoch in range(epochs):
        train_epoch(model, loader)


def kept_order_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=False))
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()


def one_pass_ok(model, dataset):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for batch in loader:
        model(batch).backward()


def one_epoch_ok(model, dataset):
    epochs = 1
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in tqdm(range(epochs)):
        for batch in loader:
            model(batch).backward()


def first_batch_ok(model, dataset):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    while True:
        for batch in loader:
            model(batch).backward()
        break


def only_evaluated_ok(model, train, test, epochs):
    test_loader = DataLoader(test, sampler=DistributedSampler(test))
    train_loader = DataLoader(train)
    for epoch in range(epochs):
        for batch in train_loader:
            model(batch).backward()
        evaluate(model, test_loader)


def anew_ok(model, dataset, epochs):
    for epoch in range(epochs):
        loader = DataLoader(dataset, sampler=DistributedSampler(dataset, seed=epoch))
        for batch in loader:
            model(batch).backward()


def epoch_with_own_loader(model, dataset, epoch):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, seed=epoch))
    for batch in loader:
        model(batch).backward()


def anew_in_function_ok(model, dataset, epochs):
    for epoch in range(epochs):
        epoch_with_own_loader(model, dataset, epoch)


def several_loaders_ok(model, datasets):
    loaders = [DataLoader(d, sampler=DistributedSampler(d)) for d in datasets]
    for loader in loaders:
        for batch in loader:
            model(batch).backward()


def two_loaders_ok(model, a, b):
    first = DataLoader(a, sampler=DistributedSampler(a))
    second = DataLoader(b, sampler=DistributedSampler(b))
    for loader in (first, second):
        for batch in loader:
            model(batch).backward()


def epoch_by_assignment_ok(model, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for epoch in range(epochs):
        sampler.epoch = epoch
        for batch in loader:
            model(batch).backward()


def epoch_by_assignment_through_loader_ok(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in range(epochs):
        loader.sampler.epoch = epoch
        for batch in loader:
            model(batch).backward()


class Settings:
    pass


def kept_in_object_fn(model, dataset, epochs):
    settings = Settings()
    settings.loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in range(epochs):
        for batch in settings.loader:
            model(batch).backward()
