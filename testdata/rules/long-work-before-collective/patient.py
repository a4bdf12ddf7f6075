from datetime import timedelta

import torch.distributed as dist
from huggingface_hub import snapshot_download


def start_ok():
    dist.init_process_group("nccl", timeout=timedelta(hours=2))


def fetch_ok(name):
    if dist.get_rank() == 0:
        snapshot_download(name)
    dist.barrier()
