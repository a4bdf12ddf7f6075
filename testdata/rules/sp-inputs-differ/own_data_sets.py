"""Data sets and samplers of the project that deal samples out by the rank in the world."""
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.utils.data import DistributedSampler, IterableDataset, Sampler, Subset


def start(dp, cp):
    return init_device_mesh("cuda", (dp, cp), mesh_dim_names=("dp", "cp"))  # expect-note: "the `cp` group"


class Shards(IterableDataset):
    def __init__(self, files, rank, world_size):
        self.files = files[rank::world_size]

    def __iter__(self):
        yield from self.files


class OwnShards(IterableDataset):
    def __init__(self, files):
        self.files = files

    def __iter__(self):
        for file in self.files[dist.get_rank() :: dist.get_world_size()]:  # expect: [sp-inputs-differ] "`OwnShards`"
            yield file


class InTurn(Sampler):
    def __init__(self, data, num_replicas, rank):
        self.data, self.num_replicas, self.rank = data, num_replicas, rank

    def __iter__(self):
        return iter(range(self.rank, len(self.data), self.num_replicas))


def shards_bad(files):
    return Shards(files, dist.get_rank(), dist.get_world_size())  # expect: [sp-inputs-differ] "`Shards` deals samples out"


def shards_ok(files, mesh):
    return Shards(files, mesh["dp"].get_local_rank(), mesh["dp"].size())


def sampler_bad(data):
    return InTurn(data, num_replicas=dist.get_world_size(), rank=dist.get_rank())  # expect: [sp-inputs-differ]


def sampler_ok(data, mesh):
    return InTurn(data, num_replicas=mesh["dp"].size(), rank=mesh["dp"].get_local_rank())


def subset_bad(data):
    mine = list(range(dist.get_rank(), len(data), dist.get_world_size()))
    return Subset(data, mine)  # expect: [sp-inputs-differ] "`Subset`"


def subset_ok(data, mesh):
    replicas = mesh["dp"]
    return Subset(data, list(range(replicas.get_local_rank(), len(data), replicas.size())))


class Replicated(Sampler):
    def __init__(self, data, cp):
        self.data = data
        self.rank = dist.get_rank() // cp
        self.replicas = dist.get_world_size() // cp
        self.mine = data[self.rank :: self.replicas]

    def __iter__(self):
        for item in self.data[self.rank :: self.replicas]:
            yield item


class Dealt(Sampler):
    def __init__(self, data, rank, world_size, cp):
        self.data, self.rank, self.replicas = data, rank // cp, world_size // cp

    def __iter__(self):
        return iter(range(self.rank, len(self.data), self.replicas))


class DealtLater(Sampler):
    def __init__(self, data, rank, world_size, cp):
        self.data, self.rank, self.world_size, self.cp = data, rank, world_size, cp

    def __iter__(self):
        return iter(range(self.rank // self.cp, len(self.data), self.world_size // self.cp))


def divided_ok(data, cp):
    dealt = Dealt(data, dist.get_rank(), dist.get_world_size(), cp)
    return Replicated(data, cp), dealt, DealtLater(data, dist.get_rank(), dist.get_world_size(), cp)
