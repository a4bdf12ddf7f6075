"""A group that is reached through two objects is there through both, or through neither."""
import time

import torch
import torch.distributed as dist


def reduced(flag, group):
    if group:
        flag = torch.tensor(flag)
        dist.all_reduce(flag, group=group)
        return flag.item()
    return flag


class Run:
    def __init__(self, folder, ranks):
        self.folder = folder
        self.ranks = ranks

    def newest(self):
        found = self.folder if dist.get_rank() == 0 else None
        if self.ranks.world_group:
            told = [found]
            dist.broadcast_object_list(told, src=0, group=self.ranks.world_group)
            found = told[0]
        return found

    def step(self):
        if self.ranks.world_group:
            dist.barrier(group=self.ranks.world_group)


class Trainer:
    def __init__(self, run: Run, ranks):
        self.run = run
        self.ranks = ranks

    def start_ok(self):
        if self.run.newest() is not None and self.ranks.world_group:
            dist.barrier(group=self.ranks.world_group)  # silent: [contradicts-itself]

    def train_ok(self, end):
        stop = False
        while not stop:  # silent: [contradicts-itself]
            self.run.step()
            stop = reduced(time.time() > end, self.ranks.world_group)
