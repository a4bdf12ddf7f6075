"""That there are enough ranks for the devices says nothing of how many machines there are."""
import os

import torch
import torch.distributed as dist


def start_bad():
    world_size = int(os.environ["WORLD_SIZE"])
    assert world_size >= torch.cuda.device_count()
    dist.init_process_group("nccl", world_size=world_size, rank=int(os.environ["RANK"]))
    torch.cuda.set_device(dist.get_rank())  # expect: [device-not-bound] "global rank"
