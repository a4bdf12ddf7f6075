# A time-out that the file writes out once, for all.
from datetime import timedelta

import torch.distributed as dist

SHORT = timedelta(seconds=30)
LONG = timedelta(minutes=30)
CHOSEN = timedelta(seconds=30)


def choose(seconds):
    global CHOSEN
    CHOSEN = timedelta(seconds=seconds)


def start_bad():
    dist.init_process_group("nccl", timeout=SHORT)  # expect: [short-timeout] "30 seconds"


def start_ok():
    dist.init_process_group("nccl", timeout=LONG)


def start_chosen_ok():
    dist.init_process_group("nccl", timeout=CHOSEN)
