# What the packages are tried on: RL101.
import torch.distributed as dist


def step(loss):
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
