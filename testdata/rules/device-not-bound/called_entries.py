"""What makes the group and what asks for the device are called one after the other, by way of others."""
import torch
import torch.distributed as dist


def rank():
    return dist.get_rank() if dist.is_initialized() else 0


def start_bad(model):
    dist.init_process_group("nccl")
    device = torch.device(f"cuda:{rank()}")  # expect: [device-not-bound] "global rank's number"
    return model.to(device)


def show_bad(model):
    device = torch.device(f"cuda:{rank()}")  # expect: [device-not-bound] "global rank's number"
    return model.to(device)


def first(model):
    return start_bad(model)


def then(model):
    return show_bad(model)


def run(model):
    return then(first(model))
