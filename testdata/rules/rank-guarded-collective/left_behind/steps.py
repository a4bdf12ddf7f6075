import functools

import others
import torch.distributed as dist
from torch import nn


def reduced_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def imported_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def renamed_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def tried_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def of_held_file_bad(x):
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


def nobody_calls_this_either(x):
    only_that_calls_ok(x)


def all_reduce(x):  # `dist.all_reduce` is another function
    if dist.get_rank() == 0:
        dist.broadcast(x, 0)  # silent: [nothing-runs]


def begin(x):  # the other file's `begin` is another function
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # silent: [nothing-runs]


@functools.lru_cache
def kept_result_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # silent: [nothing-runs]


@others.register
def registered_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


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


class Above(nn.Module):
    def extra_repr_bad(self, x):
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective]


class Deeper(Above):
    pass


class Unmade(nn.Module):
    """Nothing outside of it names it."""

    def extra_repr_ok(self, x):
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # silent: [nothing-runs]

    def again(self):
        return Unmade()
