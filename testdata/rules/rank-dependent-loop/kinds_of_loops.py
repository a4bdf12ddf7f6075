# Ranks that go round a loop another number of times are named by what the loop goes over, or asks.
import torch.distributed as dist


def range_bad(x):
    for i in range(dist.get_rank()):  # expect: [rank-dependent-loop] "runs more times on ranks where `range(dist.get_rank())` has more elements, around `all_reduce`"
        dist.all_reduce(x)


def share_bad(items):
    rank = dist.get_rank()
    for item in items[rank::2]:  # expect: [rank-dependent-loop] "runs more times on ranks where `items[rank::2]` has more elements"
        dist.all_reduce(item)


def named_share_bad(items):
    mine = items[dist.get_rank() :]
    for item in mine:  # expect: [rank-dependent-loop] "runs more times on ranks where `mine` has more elements"
        dist.all_reduce(item)


def while_bad(x):
    left = dist.get_rank()
    while left > 0:  # expect: [rank-dependent-loop] "runs more times on ranks where `left > 0` holds for more rounds"
        dist.all_reduce(x)
        left -= 1
