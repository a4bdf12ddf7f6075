import torch.distributed as dist


def mix(x):
    dist.all_reduce(x)
    return x
