"""Rank 0 loads what all have saved, to look at it."""
import tempfile

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp

WORLD_SIZE = 2


def saved():
    box = [tempfile.mkdtemp()]
    dist.broadcast_object_list(box, src=0)
    dcp.save({"x": torch.ones(4)}, checkpoint_id=box[0])
    return box[0]


def bad():
    folder = saved()
    if dist.get_rank() == 0:
        dcp.load({"x": torch.zeros(4)}, checkpoint_id=folder)
    dist.barrier()


def good():
    folder = saved()
    state = {"x": torch.zeros(4)}
    dcp.load(state, checkpoint_id=folder)
    if dist.get_rank() == 0:
        print(end="" if state["x"].sum() else "zero")
    dist.barrier()
