import torch
import torch.distributed as dist


def seconds_of(work):
    seconds = torch.full([1], float(work))
    if dist.is_initialized():
        dist.all_reduce(seconds)
    return seconds
