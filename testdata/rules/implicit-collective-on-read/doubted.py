# A helper for values of any kind: who calls it alone hands it none that are sharded.
import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor


def whole(values):
    out = []
    for value in values:
        if isinstance(value, DTensor):
            out.append(value.full_tensor())
    return out


def save_of_one_ok(values, path):
    if dist.get_rank() == 0:
        torch.save(whole(values), path)  # silent: [asks-kind]
