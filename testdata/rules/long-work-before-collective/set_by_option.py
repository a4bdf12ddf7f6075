from datetime import timedelta

import torch.distributed as dist
from huggingface_hub import snapshot_download


def start_ok(args):
    dist.init_process_group("nccl", timeout=timedelta(minutes=args.timeout))


def fetch_ok(name):
    if dist.get_rank() == 0:
        snapshot_download(name)
    dist.barrier()
