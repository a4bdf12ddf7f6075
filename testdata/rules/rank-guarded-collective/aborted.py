"""Collectives of some ranks that the program aborts."""
import threading

import torch
import torch.distributed as dist
from torch.distributed.distributed_c10d import _abort_process_group


def abort_all():
    _abort_process_group(dist.group.WORLD)


def unmatched_until_aborted_ok(x, rank):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # silent: [aborted-by-program]
    abort_all()


def unmatched_until_the_timer_ends_it_ok(x):
    timer = threading.Timer(5, dist.destroy_process_group)
    timer.start()
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # silent: [aborted-by-program]


def unmatched_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    dist.destroy_process_group()
