"""Used by the program beside its folder, which starts all ranks on this machine; and by an example of its own."""
import torch
import torch.distributed as dist


def build():
    return torch.zeros(1).to(dist.get_rank())  # silent: [started-on-one-machine]


def build_for_users():
    return torch.zeros(1).to(dist.get_rank())  # expect: [device-not-bound] "global rank's number"
