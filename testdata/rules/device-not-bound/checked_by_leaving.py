"""A process that leaves where this machine has fewer devices than there are ranks."""
import os
import sys

import torch
import torch.distributed as dist


def main():
    world_size = int(os.environ["WORLD_SIZE"])
    if world_size > torch.cuda.device_count():
        print("a process for each device")
        sys.exit(1)
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank())  # silent: [started-on-one-machine]
