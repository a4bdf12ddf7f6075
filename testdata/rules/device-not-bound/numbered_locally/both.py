"""A program with two ways to start, one of which numbers the ranks of the world."""
import torch
import torch.distributed as dist
from group import start_bad


def start_by_launcher():
    dist.init_process_group("nccl")


def place_bad(model, is_local):
    start_bad() if is_local else start_by_launcher()
    return model.to(torch.device("cuda", dist.get_rank()))  # expect: [device-not-bound] "global rank's number"
