# Iterators that begin again, made by a function within the one that uses them.
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def get_batch(batches):
    return next(batches).cuda()


def train_step(model, batches, parts):
    for _ in range(parts):
        model(get_batch(batches)).backward()


def test_loss(model, batches, parts):
    return sum(model(get_batch(batches)).item() for _ in range(parts))


def main_bad(model, train, steps):
    def endless(samples):
        while True:  # expect: [epoch-not-set] "in the same order"
            for batch in samples:
                yield batch

    batches = iter(endless(DataLoader(train, sampler=DistributedSampler(train))))
    for _ in range(steps):
        train_step(model, batches, 4)


def test_ok(model, test, steps):
    def endless(samples):
        while True:
            for batch in samples:
                yield batch

    batches = iter(endless(DataLoader(test, sampler=DistributedSampler(test))))
    for _ in range(steps):
        test_loss(model, batches, 4)
