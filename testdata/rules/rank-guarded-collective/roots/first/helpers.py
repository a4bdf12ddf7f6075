import torch.distributed as dist


def settle(x):
    dist.all_reduce(x)
    return x
