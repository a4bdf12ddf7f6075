"""A checkpoint that is written in the background is planned by all ranks together, and rank 0 alone asks for it."""
import tempfile

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp

WORLD_SIZE = 2


def bad():
    state, folder = {"x": torch.ones(4)}, tempfile.mkdtemp()
    if dist.get_rank() == 0:
        dcp.async_save(state, checkpoint_id=folder).result()
    dist.barrier()


def good():
    state, folder = {"x": torch.ones(4)}, tempfile.mkdtemp()
    dcp.async_save(state, checkpoint_id=folder).result()
    dist.barrier()
