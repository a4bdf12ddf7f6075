"""A gloo group waits for half an hour by itself."""
from datetime import timedelta

import torch.distributed as dist


def setup():
    dist.init_process_group("nccl", timeout=timedelta(minutes=30))


def group_on_cpus_ok(ranks):
    return dist.new_group(ranks, backend="gloo")


def group_on_gpus_bad(ranks):
    return dist.new_group(ranks, backend="nccl")  # expect: [timeout-not-passed-on]
