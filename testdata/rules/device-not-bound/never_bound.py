"""Tensors are where they belong; what has none meets on the current device."""
import os

import torch
import torch.distributed as dist


def start_bad(model):
    dist.init_process_group("nccl")  # expect-note: "made here, without a device"
    model = model.to(f"cuda:{int(os.environ['LOCAL_RANK'])}")  # expect-note: "device of the local rank"
    dist.barrier()  # expect: [device-not-bound] "which nothing binds"
    return model


def once_is_enough_ok():
    dist.barrier()
