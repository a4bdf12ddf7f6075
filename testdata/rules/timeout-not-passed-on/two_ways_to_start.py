"""Where one of the default groups has the library's own time-out, so may the others."""
from datetime import timedelta

import torch.distributed as dist


def start(address, rank, size):
    if address:
        dist.init_process_group("nccl", address, timedelta(hours=1), size, rank)
    else:
        dist.init_process_group("nccl")


def nodes_ok(ranks):
    return dist.new_group(ranks)
