"""A byte that is not UTF-8, in a literal. The application reports it and checks the rest."""
import torch.distributed as dist

LABEL = "ÿ"  # expect: [unreadable-source] "UTF-8"


def guarded_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
