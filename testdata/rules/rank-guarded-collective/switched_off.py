"""A context that switches off what would communicate in it."""
from contextlib import contextmanager

import torch.distributed as dist

_ALONE = False


@contextmanager
def alone():
    global _ALONE
    _ALONE = True
    try:
        yield
    finally:
        _ALONE = False


@contextmanager
def quietly():
    yield


def fetch(path):
    if not _ALONE:
        dist.barrier()
    return open(path)


def first_looks_ok(path):
    if dist.get_rank() == 0:
        with alone():
            return fetch(path)  # silent: [set-by-context]


def first_looks_quietly_bad(path):
    if dist.get_rank() == 0:
        with quietly():
            return fetch(path)  # expect: [rank-guarded-collective] "`barrier`"
