"""Two copies are equally near: nothing says which is meant."""
import torch.distributed as dist

from shared.ops import settle


def one_of_two_copies_ok(x):
    if dist.get_rank() == 0:
        settle(x)
