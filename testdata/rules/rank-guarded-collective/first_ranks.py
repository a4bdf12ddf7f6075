"""The first ranks are a group, and how many they are is told by the caller."""
import torch
import torch.distributed as dist

class Averager:
    def __init__(self, find, group=None):
        self.group = find(group)
        dist.broadcast(torch.zeros(1), src=dist.get_global_rank(self.group, 0), group=self.group)


def first_ranks(find, size=None):
    rank, group = dist.get_rank(), None
    if size is None:
        size = dist.get_world_size()
    else:
        ranks = list(range(size))
        group = dist.new_group(ranks=ranks)
    if rank < size:
        Averager(find, group)
    dist.barrier()


def one_rank_ok(find):
    first_ranks(find, size=1)
