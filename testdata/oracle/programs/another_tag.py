"""Rank 1 receives a message with another tag than the one that rank 0 sends."""
import torch
import torch.distributed as dist

WORLD_SIZE = 2


def bad():
    x = torch.ones(4)
    if dist.get_rank() == 0:
        dist.send(x, dst=1, tag=1)
    elif dist.get_rank() == 1:
        dist.recv(x, src=0, tag=2)


def good():
    x = torch.ones(4)
    if dist.get_rank() == 0:
        dist.send(x, dst=1, tag=1)
    elif dist.get_rank() == 1:
        dist.recv(x, src=0, tag=1)
