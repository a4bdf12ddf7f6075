"""Nobody gives a time-out: all groups have the library's own."""
import torch.distributed as dist


def setup(ranks):
    dist.init_process_group("nccl", timeout=None)
    return dist.new_group(ranks)
