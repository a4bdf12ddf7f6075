"""A rank's share of something: its ends differ between ranks, its length need not."""
import torch.distributed as dist


def equal_shares_ok(x, total):
    rank, size = dist.get_rank(), dist.get_world_size()
    share = total // size
    for i in range(rank * share, (rank + 1) * share):
        dist.all_reduce(x[i])


def until_own_end_bad(x, share):
    rank = dist.get_rank()
    for i in range(0, (rank + 1) * share):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x[i])
