"""Of which of the two programs these groups are is not known."""
import torch.distributed as dist


def make_ok(ranks):
    return dist.new_group(ranks)
