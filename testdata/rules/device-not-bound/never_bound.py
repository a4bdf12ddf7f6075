"""A barrier never meets on the current device: its group has used another, or takes the rank's remainder by the GPUs."""
import os

import torch
import torch.distributed as dist


def start_ok(model):
    dist.init_process_group("nccl")
    model = model.to(f"cuda:{int(os.environ['LOCAL_RANK'])}")
    dist.barrier()
    return model


def once_is_enough_ok():
    dist.barrier()
