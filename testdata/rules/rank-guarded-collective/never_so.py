"""Conditions that never hold, that hold once, and that ask the same of everybody."""
import functools
import os

import torch.distributed as dist


def evaluate(model):
    return model.score()


def load_ok(rank, split):
    if rank not in [-1, 0] and evaluate == "train":  # `split` was meant; the function is no text
        dist.barrier()
    data = open(split)
    if rank == 0 and not evaluate:
        dist.barrier()
    return data


def load_meant_bad(rank, split):
    if rank != 0 and split == "train":
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
    return open(split)


def deal_out_ok(states, empty):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    if rank == 0:
        for receiver in range(ranks):
            if receiver == 0:
                mine = states[receiver]
            else:
                dist.broadcast(states[receiver], src=0)
        return mine  # silent: [one-round-for-all]
    for receiver in range(1, ranks):
        dist.broadcast(empty, src=0)
        if receiver == rank:
            mine = empty.clone()
    return mine


@functools.lru_cache
def group_for_objects():
    if dist.get_backend() == "nccl":
        return dist.new_group(backend="gloo")
    return dist.group.WORLD


def gather_sizes(size):
    sizes = [None] * dist.get_world_size()
    dist.all_gather_object(sizes, size, group=group_for_objects())
    return sizes


def gather_from_first_ok(data):
    if dist.get_rank() == 0:
        return gather_sizes(len(data))
    return gather_sizes(None)


class Table:
    def __init__(self, path, world_size=None):
        self.path = path
        self.group = group_of(world_size)
        self.is_open = False

    def write(self, row):
        if not self.is_open:
            session = [self.path]
            if self.group is not None:
                dist.broadcast_object_list(session, group=self.group)
            self.is_open = True
        os.write(1, row)


def group_of(world_size):
    if world_size is None:
        world_size = dist.get_world_size()
    return dist.new_group(list(range(world_size))) if world_size > 1 else None


def write_alone_ok(path, total):
    if dist.get_rank() == 0:
        table = Table(path, world_size=1)
        table.write(total)


class Journal:
    def __init__(self, path, **options):
        self.path = path
        self.options = options

    def write(self, row):
        if self.options.get("world_size", 0) != 1:
            dist.broadcast_object_list([self.path])
        os.write(1, row)


def write_journal_alone_ok(path, total):
    if dist.get_rank() == 0:
        journal = Journal(path, world_size=1)
        journal.write(total)  # silent: [states-one-rank]


def publish_ok(x):
    if dist.get_rank() == 0:
        if dist.get_backend() == "nccl":
            dist.broadcast(x, 0)
    elif dist.get_backend() == "nccl":
        dist.broadcast(x, 0)
