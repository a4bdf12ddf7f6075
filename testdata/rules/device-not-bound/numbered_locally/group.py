"""The rank of a group is what its ranks were numbered by."""
import os

import torch
import torch.distributed as dist


def start_bad():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", rank=local_rank)  # expect: [device-not-bound] "initialised with the local rank"
