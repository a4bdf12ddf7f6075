"""Launchers call the rank's variable by several names; whichever is set, it holds this rank."""
import os

import torch.distributed as dist


def world_rank():
    number = 0
    for name in ("SLURM_PROCID", "PMI_RANK", "OMPI_COMM_WORLD_RANK", "RANK"):
        if name in os.environ:
            number = int(os.environ[name])
            break
    return number


def first_found_bad(x):
    if world_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def some_number():
    number = 0
    for name in ("WORLD_SIZE", "RANK"):
        if name in os.environ:
            number = int(os.environ[name])
            break
    return number


def no_rank_for_sure_ok(x):
    if some_number() == 0:
        dist.all_reduce(x)


def address_ok(x):
    for name in ("RAY_ADDRESS", "HEAD_ADDRESS"):
        if name in os.environ:
            x.connect(os.environ[name])
    dist.all_reduce(x)
