"""Lists that are empty on some ranks."""
import torch.distributed as dist


def told_bad(x, first):
    mine = [first] if dist.get_rank() == 0 else []
    for part in mine:  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(part)


def told_ok(x, first, second):
    mine = [first] if dist.get_rank() == 0 else [second]
    for part in mine:
        dist.all_reduce(part)


def of_an_option_ok(first, uses):
    mine = [first] if uses else []
    for part in mine:
        dist.all_reduce(part)
