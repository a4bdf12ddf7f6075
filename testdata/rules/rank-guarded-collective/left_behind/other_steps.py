"""What another file calls by the same name."""
import torch.distributed as dist


def begin(x):
    dist.all_reduce(x)


begin(None)
