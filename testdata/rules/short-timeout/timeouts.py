"""Time-outs in numbers."""
import datetime
from datetime import timedelta

import deepspeed
import torch.distributed as dist


def start_bad():
    dist.init_process_group("nccl", timeout=timedelta(seconds=30))  # expect: [short-timeout] "30 seconds"


def start_by_name_bad():
    patience = datetime.timedelta(0, 10)
    dist.init_process_group("nccl", timeout=patience)  # expect: [short-timeout] "10 seconds"


def group_bad(ranks):
    return dist.new_group(ranks, timedelta(minutes=0.5))  # expect: [short-timeout] "`new_group`"


def start_ok():
    dist.init_process_group("nccl", timeout=timedelta(minutes=1))


def start_long_ok():
    dist.init_process_group("nccl", timeout=timedelta(hours=1, seconds=5))


def start_as_told_ok(seconds):
    dist.init_process_group("nccl", timeout=timedelta(seconds=seconds))


def start_by_default_ok():
    dist.init_process_group("nccl")


def set_up_already_ok():
    dist.init_process_group("nccl", timeout=timedelta(hours=24))
    deepspeed.init_distributed(timeout=timedelta(seconds=10))


def set_up_on_one_way_bad(by_torch):
    if by_torch:
        dist.init_process_group("nccl", timeout=timedelta(hours=24))
    deepspeed.init_distributed(timeout=timedelta(seconds=10))  # expect: [short-timeout] "10 seconds"
