"""Numbers with a point decide as in Python: 0.0 is false and equal to 0, 0.5 is below 1."""
import torch
import torch.distributed as dist

CLIP = 1e-3


def never_below_good(x):
    if 0.5 < 0.25 and dist.get_rank() == 0:
        dist.all_reduce(x)


def always_above_bad(x):
    if 0.5 > 0.25 and dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def zero_is_false_good(x):
    dropout = 0.0
    if dropout and dist.get_rank() == 0:
        dist.all_reduce(x)


def zero_equals_zero_bad(x):
    dropout = 0.0
    if dropout == 0 and dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def negative_good(x):
    last = -1.0
    if last > 0 and dist.get_rank() == 0:
        dist.all_reduce(x)


def one_among_good(x):
    if 1.0 not in (1, 2) and dist.get_rank() == 0:
        dist.all_reduce(x)


def counted_good(x):
    if 0.25 + 0.25 != 1 / 2.0 and dist.get_rank() == 0:
        dist.all_reduce(x)


def read_good(x):
    if float("inf") < CLIP and dist.get_rank() == 0:
        dist.all_reduce(x)


def whole_part_bad(x):
    if int(1.9) == int("1") and str(2) == "2" and bool(0.5) and dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
