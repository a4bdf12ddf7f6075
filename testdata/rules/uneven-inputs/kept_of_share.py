"""What a rank keeps of its share, by what the elements are."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, IterableDataset


def picked_bad(module, samples):
    model = DistributedDataParallel(module)
    rank, world = dist.get_rank(), dist.get_world_size()
    share = len(samples) // world
    mine = [sample for sample in samples[rank * share : (rank + 1) * share] if len(sample) < 512]
    for sample in mine:  # expect: [uneven-inputs]
        model(sample).sum().backward()


def picked_in_a_loop_bad(samples, loss):
    rank, world = dist.get_rank(), dist.get_world_size()
    share = len(samples) // world
    kept = []
    for sample in samples[rank * share : (rank + 1) * share]:
        if sample.is_valid:
            kept.append(sample)
    for sample in kept:  # expect: [rank-dependent-loop]
        dist.all_reduce(loss)


def picked_by_all_ok(samples, loss):
    kept = [sample for sample in samples if sample.is_valid]
    for sample in kept:
        dist.all_reduce(loss)


def as_many_as_the_fewest_ok(samples, loss):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = [sample for sample in samples[rank::world] if sample.is_valid]
    fewest = [None] * world
    dist.all_gather_object(fewest, len(mine))
    for sample in mine[: min(fewest)]:
        dist.all_reduce(loss)


def changed_ok(samples, loss):
    rank, world = dist.get_rank(), dist.get_world_size()
    share = len(samples) // world
    mine = [sample if sample.is_valid else None for sample in samples[rank * share : (rank + 1) * share]]
    for sample in mine:
        dist.all_reduce(loss)


class Files(IterableDataset):
    def __init__(self, paths):
        self.paths = paths
        self.rank, self.world = dist.get_rank(), dist.get_world_size()

    def __iter__(self):
        for path in self.paths[self.rank :: self.world]:
            for line in open(path):
                yield line


class AllFiles(Files):
    def __iter__(self):
        for path in self.paths:
            for line in open(path):
                yield line


def by_files_bad(module, paths):
    model = DistributedDataParallel(module)
    for batch in DataLoader(Files(paths), batch_size=4):  # expect: [uneven-inputs] "differs between ranks"
        model(batch).sum().backward()


def all_files_ok(module, paths):
    model = DistributedDataParallel(module)
    for batch in DataLoader(AllFiles(paths), batch_size=4):
        model(batch).sum().backward()
