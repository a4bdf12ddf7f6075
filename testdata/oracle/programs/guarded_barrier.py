"""Rank 0 alone comes to a barrier; the others go on."""
import torch.distributed as dist

WORLD_SIZE = 3


def bad():
    if dist.get_rank() == 0:
        dist.barrier()


def good():
    if dist.get_rank() == 0:
        print(end="")
    dist.barrier()
