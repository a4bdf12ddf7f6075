"""Faults that a program makes by chance, to see what comes of them."""
import random
import sys

import torch.distributed as dist


def step_with_faults_ok(model, batch, probability):
    if random.random() < probability:
        raise RuntimeError("an example of a fault")  # silent: [raises-by-chance]
    dist.all_reduce(batch)


def killed_by_chance_ok(batch, rank, world_size):
    if rank in random.sample(range(world_size), 1):
        sys.exit(1)  # silent: [raises-by-chance]
    dist.all_reduce(batch)


def skips_by_chance_bad(batch):
    if random.random() < 0.5:
        return  # expect: [data-dependent-collective] "`all_reduce`"
    dist.all_reduce(batch)
