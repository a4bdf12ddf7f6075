"""A byte that is not UTF-8, in a literal: the file is read and checked all the same."""
import torch.distributed as dist

LABEL = "ÿ"


def guarded_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
