"""What is longer than the backend's own time-out does not hold for its groups."""
from datetime import timedelta

import torch.distributed as dist


def setup():
    dist.init_process_group("nccl", timeout=timedelta(hours=2))


def group_on_cpus_bad(ranks):
    return dist.new_group(ranks, backend="gloo")  # expect: [timeout-not-passed-on]
