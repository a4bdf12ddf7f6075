"""Who has more ranks than devices is sent away."""
import os

import torch
import torch.distributed as dist


def start_ok():
    world_size = int(os.environ["WORLD_SIZE"])
    if torch.cuda.device_count() != world_size:
        raise ValueError("a process for each device")
    dist.init_process_group("nccl", world_size=world_size, rank=int(os.environ["RANK"]))
    torch.cuda.set_device(dist.get_rank())  # silent: [started-on-one-machine]
