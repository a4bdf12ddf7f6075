"""Ranks that compare themselves with a number of their own, or check what they are called."""
import os
from abc import abstractmethod

import torch.distributed as dist


class Saver:
    def __init__(self, first):
        self.rank = int(os.environ["LOCAL_RANK"])
        self.shard = self.rank % self.shards()
        self.first = first

    @abstractmethod
    def shards(self):
        pass

    def save_shard_ok(self, state):
        if self.rank != self.shard:
            return False
        dist.all_reduce(state)
        return True

    def save_by_first_bad(self, state):
        if self.rank != self.first:
            return False  # expect: [early-exit-before-collective] "`all_reduce`"
        dist.all_reduce(state)
        return True


class OneShardARank(Saver):
    def shards(self):
        return int(os.environ["LOCAL_WORLD_SIZE"])


def save_remainder_ok(state, shards):
    rank = dist.get_rank()
    if rank != rank % shards:
        return
    dist.all_reduce(state)


def save_by_first_of_shards_bad(state, shards):
    rank = dist.get_rank()
    if rank != rank // shards * shards:
        return  # expect: [early-exit-before-collective] "`all_reduce`"
    dist.all_reduce(state)


def run_checked_ok(place, ranks, failures, x):
    try:
        if dist.get_rank() != ranks[place]:
            raise AssertionError("set up in another order")
        dist.all_reduce(x)  # silent: [checks-own-rank]
    except Exception:
        failures.put(place)


def run_without_first_bad(failures, x):
    try:
        if dist.get_rank() == 0:
            raise AssertionError("not the first")
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    except Exception:
        failures.put(0)


def run_without_last_bad(failures, x):
    try:
        if dist.get_rank() == dist.get_world_size() - 1:
            raise AssertionError("not the last")
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    except Exception:
        failures.put(0)
