"""The number of the process is written down only where no launcher has given it one."""
import os

import torch
import torch.distributed as dist

if "LOCAL_RANK" not in os.environ:
    os.environ["LOCAL_RANK"] = "0"
os.environ["NCCL_DEBUG"] = "INFO"


def main_bad():
    dist.init_process_group("nccl", init_method="env://")
    rank = dist.get_rank()
    torch.cuda.set_device(rank)  # expect: [device-not-bound] "global rank"
