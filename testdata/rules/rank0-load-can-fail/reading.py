"""Reading on one rank while the others wait."""
import json

import torch
import torch.distributed as dist


def weights_bad(path, tensor):
    if dist.get_rank() == 0:
        tensor.copy_(torch.load(path))  # expect: [rank0-load-can-fail] "`load`"
    dist.broadcast(tensor, src=0)


def settings_bad(path):
    settings = [None]
    if dist.get_rank() == 0:
        with open(path) as f:
            settings = [json.load(f)]  # expect: [rank0-load-can-fail] "`load`"
    dist.broadcast_object_list(settings, src=0)
    return settings[0]


def by_all_ok(path, tensor):
    tensor.copy_(torch.load(path))
    dist.all_reduce(tensor)


def nobody_waits_ok(path):
    if dist.get_rank() == 0:
        return torch.load(path)
    return None
