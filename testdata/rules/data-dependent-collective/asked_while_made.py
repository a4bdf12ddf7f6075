"""A constructor that calls methods of its object: what they read is what it has set when it is done."""
import os
import time

import torch
import torch.distributed as dist


class Trainer:
    def __init__(self, path):
        self.ranks = dist.get_world_size()
        self.limit = 1000
        if os.path.exists(path):
            self.load(path)

    def load(self, path):
        state = torch.load(path)
        if len(state) != self.ranks:
            raise ValueError(path)

    def is_over(self):
        over = time.time() > self.limit
        if self.ranks > 1:
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = bool(flag.item())
        return over

    def is_over_here(self):
        over = time.time() > self.limit
        if self.ranks > 8:
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = bool(flag.item())
        return over

    def train_ok(self, steps):
        for _ in range(steps):
            if self.is_over():
                return
            dist.barrier()

    def train_bad(self, steps):
        for _ in range(steps):
            if self.is_over_here():
                return  # expect: [data-dependent-collective] "clock"
            dist.barrier()
