import torch.distributed as dist
from datasets import load_dataset
from huggingface_hub import snapshot_download


def fetch_bad(name):
    if dist.get_rank() == 0:
        snapshot_download(name)  # expect: [long-work-before-collective] "`snapshot_download`"
    dist.barrier()


def prepare_ok(name):
    if dist.get_rank() != 0:
        dist.barrier()
    data = load_dataset(name)
    if dist.get_rank() == 0:
        dist.barrier()
    return data if dist.get_rank() else load_dataset(name, split="test")


def all_fetch_ok(name):
    snapshot_download(name)
    dist.barrier()


def nobody_waits_ok(name):
    if dist.get_rank() == 0:
        snapshot_download(name)
