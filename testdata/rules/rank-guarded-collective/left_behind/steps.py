import torch.distributed as dist
from torch import nn


def reduced_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def by_table_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def nobody_calls_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # silent: [nothing-runs]


def only_that_calls_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # silent: [nothing-runs]


def nobody_calls_this_either_ok(x):
    only_that_calls_ok(x)


class Reducer:
    def used_bad(self, x):
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective]

    def named_bad(self, x):
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective]

    def unused_ok(self, x):
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # silent: [nothing-runs]


class Layer(nn.Module):
    def extra_repr_bad(self, x):
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective]
