"""A file with one function for each thing that a user can ask for. Only one of them makes a group."""
import sys

import torch
import torch.distributed as dist


def rank():
    return dist.get_rank() if dist.is_initialized() else 0


def train_bad(model):
    dist.init_process_group("nccl")
    device = torch.device(f"cuda:{rank()}")  # expect: [device-not-bound] "global rank's number"
    return model.to(device)


def show_ok(model):
    device = torch.device(f"cuda:{rank()}")  # silent: [no-job]
    return model.to(device)


def show_slowly(model):
    return show_ok(model)


def show_ranks_bad(model):
    device = torch.device(f"cuda:{dist.get_rank()}")  # expect: [device-not-bound] "global rank's number"
    return model.to(device)


if __name__ == "__main__":
    globals()[sys.argv[1]](torch.nn.Linear(1, 1))
