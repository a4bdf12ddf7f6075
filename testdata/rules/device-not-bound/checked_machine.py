"""No more ranks than this machine has devices: their numbers are those of the devices."""
import os

import torch
import torch.distributed as dist

WORLD_SIZE = int(os.getenv("WORLD_SIZE", "1"))


def start_ok():
    assert WORLD_SIZE <= torch.cuda.device_count(), "a process for each device"
    dist.init_process_group("nccl", world_size=WORLD_SIZE, rank=int(os.environ["RANK"]))
    torch.cuda.set_device(dist.get_rank())  # silent: [started-on-one-machine]


def place_ok(net):
    return net.to(f"cuda:{dist.get_rank()}")  # silent: [started-on-one-machine]
