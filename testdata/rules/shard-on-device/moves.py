"""Whole tensors on their way to the device."""
import torch
from torch.distributed.tensor import distribute_tensor


def moved_bad(tensor, mesh, placements):
    whole = tensor.to("cuda")
    return distribute_tensor(whole, mesh, placements)  # expect: [shard-on-device] "every device holds the whole tensor"


def moved_by_keyword_bad(tensor, mesh, placements, device):
    return distribute_tensor(tensor.to(device=device), mesh, placements)  # expect: [shard-on-device] "every device holds the whole tensor"


def from_the_host_ok(tensor, mesh, placements):
    return distribute_tensor(tensor.to(torch.bfloat16), mesh, placements)


def back_to_the_host_ok(tensor, mesh, placements):
    return distribute_tensor(tensor.to("cpu"), mesh, placements)
