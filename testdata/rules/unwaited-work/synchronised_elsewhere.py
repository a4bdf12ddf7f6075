"""A module that hands out how to wait for what it starts."""
import torch
import torch.distributed as dist

synchronize = torch.cuda.synchronize


def start_reduction_ok(name, x):
    x.div_(dist.get_world_size())
    dist.all_reduce(x, async_op=True)
