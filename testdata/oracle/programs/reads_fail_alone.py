"""One rank's failure is caught beside a collective that the others still do."""
import os
import tempfile

import torch
import torch.distributed as dist

WORLD_SIZE = 2
MISSED = True  # a file that is read counts as one that all ranks share


def weights():
    path = os.path.join(tempfile.mkdtemp(), "weights.pt")
    if dist.get_rank() == 0:
        torch.save(torch.ones(4), path)
    return path


def bad():
    path = weights()
    try:
        x = torch.load(path)
        dist.all_reduce(x)
    except OSError:
        pass


def good():
    path = weights()
    failed = torch.zeros(1)
    x = torch.zeros(4)
    try:
        x = torch.load(path)
    except OSError:
        failed += 1
    dist.all_reduce(failed)
    if failed.item() == 0:
        dist.all_reduce(x)
