"""A distributed checkpoint is written by all ranks together, and rank 0 alone asks for it."""
import tempfile

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp

WORLD_SIZE = 2


def bad():
    state, folder = {"x": torch.ones(4)}, tempfile.mkdtemp()
    if dist.get_rank() == 0:
        dcp.save(state, checkpoint_id=folder)
    dist.barrier()


def good():
    state, folder = {"x": torch.ones(4)}, tempfile.mkdtemp()
    dcp.save(state, checkpoint_id=folder)
    dist.barrier()
