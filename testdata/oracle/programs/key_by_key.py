"""Every rank broadcasts the weights of its own shards' files: other keys, and another number of them."""
import torch
import torch.distributed as dist

WORLD_SIZE = 2


def bad():
    rank = dist.get_rank()
    shards = ["a", "b", "c"][rank:]
    for _ in shards:
        dist.broadcast(torch.ones(4), src=0)


def good():
    rank = dist.get_rank()
    shards = ["a", "b", "c"]
    for _ in shards:
        dist.broadcast(torch.ones(4) * rank, src=0)
