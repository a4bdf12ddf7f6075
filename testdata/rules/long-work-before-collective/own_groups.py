"""Each group has a time-out of its own: who waits longer in one has the usual patience in another."""
from datetime import timedelta

import torch.distributed as dist
from huggingface_hub import snapshot_download


def start():
    dist.init_process_group("nccl", timeout=timedelta(hours=2))


def fetch_ok(name):
    if dist.get_rank() == 0:
        snapshot_download(name)
    dist.barrier()


def fetch_in_a_short_group_bad(name):
    group = dist.new_group(timeout=timedelta(minutes=5))
    if dist.get_rank() == 0:
        snapshot_download(name)  # expect: [long-work-before-collective] "for 5 minutes at most"
    dist.barrier(group)


def fetch_in_a_group_bad(name):
    group = dist.new_group()  # expect: [timeout-not-passed-on]
    if dist.get_rank() == 0:
        snapshot_download(name)  # expect: [long-work-before-collective] "for the group's time-out at most"
    dist.barrier(group)


def fetch_in_a_patient_group_ok(name):
    group = dist.new_group(backend="gloo", timeout=timedelta(hours=3))
    if dist.get_rank() == 0:
        snapshot_download(name)
    dist.barrier(group)
