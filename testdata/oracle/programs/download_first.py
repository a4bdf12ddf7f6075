"""Rank 0 fetches while the others wait; in the wrong one they wait and rank 0 never comes."""
import os
import tempfile

import torch.distributed as dist

WORLD_SIZE = 3


def fetch():
    open(os.path.join(tempfile.gettempdir(), "of-the-oracle"), "w").close()


def bad():
    if dist.get_rank() == 0:
        fetch()
    else:
        dist.barrier()
        fetch()


def good():
    if dist.get_rank() != 0:
        dist.barrier()
    fetch()
    if dist.get_rank() == 0:
        dist.barrier()
