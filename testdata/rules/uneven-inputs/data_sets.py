"""Data sets that deal out what there is, each rank its turn."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path
        self.rank, self.world = dist.get_rank(), dist.get_world_size()

    def __iter__(self):
        for i, line in enumerate(open(self.path)):
            if i % self.world == self.rank:
                yield line


class SkippedLines(Lines):
    def __iter__(self):
        for i, line in enumerate(open(self.path)):
            if i % self.world != self.rank:
                continue
            yield line


class EvenLines(Lines):
    def __iter__(self):
        lines = open(self.path).readlines()
        for i in range(len(lines) // self.world * self.world):
            if i % self.world == self.rank:
                yield lines[i]


class EndlessLines(Lines):
    def __iter__(self):
        while True:
            for i, line in enumerate(open(self.path)):
                if i % self.world == self.rank:
                    yield line


class AllLines(Lines):
    def __iter__(self):
        for line in open(self.path):
            if line:
                yield line


def dealt_out_bad(module, path):
    model = DistributedDataParallel(module)
    for batch in DataLoader(Lines(path), batch_size=4):  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def skipped_bad(module, path):
    model = DistributedDataParallel(module)
    loader = DataLoader(SkippedLines(path), batch_size=4)
    for batch in loader:  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def even_ok(module, path):
    model = DistributedDataParallel(module)
    for batch in DataLoader(EvenLines(path), batch_size=4):
        model(batch).sum().backward()


def endless_ok(module, path, steps):
    model = DistributedDataParallel(module)
    for step, batch in zip(range(steps), DataLoader(EndlessLines(path), batch_size=4)):
        model(batch).sum().backward()


def all_lines_ok(module, path):
    model = DistributedDataParallel(module)
    for batch in DataLoader(AllLines(path), batch_size=4):
        model(batch).sum().backward()


def rest_for_the_last_bad(module, samples):
    model = DistributedDataParallel(module)
    rank, world = dist.get_rank(), dist.get_world_size()
    share = len(samples) // world
    end = len(samples) if rank == world - 1 else (rank + 1) * share
    for sample in samples[rank * share : end]:  # expect: [uneven-inputs] "differs between ranks"
        model(sample).sum().backward()


def equal_shares_ok(module, samples):
    model = DistributedDataParallel(module)
    rank, world = dist.get_rank(), dist.get_world_size()
    share = len(samples) // world
    for sample in samples[rank * share : (rank + 1) * share]:
        model(sample).sum().backward()


class WholeFiles(IterableDataset):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        for path in self.paths[dist.get_rank() :: dist.get_world_size()]:
            yield from torch.load(path)


def whole_files_bad(module, paths):
    model = DistributedDataParallel(module)
    for x in DataLoader(WholeFiles(paths)):  # expect: [uneven-inputs]
        model(x).sum().backward()


class OwnRows(Dataset):
    def __init__(self, rows):
        self.rows = [row for i, row in enumerate(rows) if i % dist.get_world_size() == dist.get_rank()]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def own_rows_bad(module, rows):
    model = DistributedDataParallel(module)
    for x in DataLoader(OwnRows(rows)):  # expect: [uneven-inputs]
        model(x).sum().backward()


def own_rows_dropped_ok(module, rows):
    model = DistributedDataParallel(module)
    for x in DataLoader(OwnRows(rows), batch_size=8, drop_last=True):
        model(x).sum().backward()


class AllRows(Dataset):
    def __init__(self, rows):
        self.rows = [row for row in rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def all_rows_ok(module, rows):
    model = DistributedDataParallel(module)
    for x in DataLoader(AllRows(rows)):
        model(x).sum().backward()
