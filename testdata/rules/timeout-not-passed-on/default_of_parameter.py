"""A parameter holds its default where a caller gives nothing else."""
from datetime import timedelta

import torch.distributed as dist

DEFAULT_TIMEOUT = timedelta(minutes=30)


def work(rank, address, timeout=DEFAULT_TIMEOUT):
    dist.init_process_group("nccl", init_method=address, rank=rank, world_size=8, timeout=timeout)


def on_cpus_ok():
    return dist.new_group(backend="gloo")
