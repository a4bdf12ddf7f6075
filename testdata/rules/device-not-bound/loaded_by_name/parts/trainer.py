# Nothing names the file: it is loaded by the name that an option gives.
import torch
import torch.distributed as dist


def place_ok(model):
    return model.to(torch.device(f"cuda:{dist.get_rank()}"))  # silent: [started-on-one-machine]
