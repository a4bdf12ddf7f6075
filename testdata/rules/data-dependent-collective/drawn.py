# What is drawn at random differs between ranks; how much is drawn does not.
import numpy as np
import torch.distributed as dist


def as_many_as_asked_for_ok(x, seen, n):
    chosen = np.random.choice(seen, size=n, replace=False)
    if len(chosen) > 0:
        dist.all_reduce(x)


def what_is_drawn_bad(x, seen):
    chosen = np.random.choice(seen)
    if chosen > 3:
        dist.all_reduce(x)  # expect: [data-dependent-collective]
