import torch
import torch.distributed as dist
from group import start_bad


def place_ok(model):
    return model.to(torch.device("cuda", dist.get_rank()))


def run(model):
    start_bad()
    return place_ok(model)
