"""The same program again, whose helper is another."""
import torch.distributed as dist

from helpers import settle


def settle_on_first_ok(x):
    if dist.get_rank() == 0:
        settle(x)
