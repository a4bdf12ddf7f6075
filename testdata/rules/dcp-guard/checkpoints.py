"""Distributed checkpoints take part of every rank."""
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import FileSystemReader, FileSystemWriter


def save_bad(state, path):
    if dist.get_rank() == 0:
        dcp.save(state, storage_writer=FileSystemWriter(path))  # expect: [dcp-guard] "`save`"


def save_later_bad(state, path):
    if dist.get_rank() == 0:
        return dcp.async_save(state, checkpoint_id=path)  # expect: [dcp-guard] "`async_save`"


def load_bad(state, path):
    if dist.get_rank() == 0:
        dcp.load(state, storage_reader=FileSystemReader(path))  # expect: [dcp-guard] "`load`"
    dist.barrier()


def save_ok(state, path):
    dcp.save(state, checkpoint_id=path)


def alone_ok(state, path):
    if dist.get_rank() == 0:
        dcp.load(state, checkpoint_id=path, no_dist=True)


def both_sides_ok(state, path):
    if dist.get_rank() == 0:
        print("loading", path)
        dcp.load(state, checkpoint_id=path)
    else:
        dcp.load(state, checkpoint_id=path)
