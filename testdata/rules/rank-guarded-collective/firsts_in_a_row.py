"""Contexts in a row that let the first rank of each node go first: each rank waits twice, some before and some behind."""
import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


def is_first():
    return int(os.getenv("RANK", -1)) in {-1, 0}


def is_first_here():
    return int(os.getenv("LOCAL_RANK", -1)) in {-1, 0}


@contextmanager
def first_ones_first():
    if not is_first():
        dist.barrier()
    if not is_first_here():
        dist.barrier()
    yield
    if is_first():
        dist.barrier()
    if is_first_here():
        dist.barrier()


def prepare_ok(data):
    with first_ones_first():
        fetch(data)
    with first_ones_first():
        index(data)


def prepare_in_a_loop_ok(parts):
    for part in parts:
        prepare_ok(part)


@contextmanager
def first_one_forgotten_bad():
    if not is_first():
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
    yield


def prepare_both_ways(data):
    with first_one_forgotten_bad():
        fetch(data)
    with first_ones_first():
        index(data)


@contextmanager
def first_of_each_node():
    if dist.get_rank() % torch.cuda.device_count() == 0:
        yield
        dist.barrier()
    else:
        dist.barrier()
        yield


def loaded_by_the_first_of_each_node_ok(load):
    with first_of_each_node():
        return load()
