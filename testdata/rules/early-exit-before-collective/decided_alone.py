"""What one rank finds out and ends by. An error that it raises may check its own input; to end the program is a choice."""
import os
import sys

import torch.distributed as dist


def by_system_exit_bad(x):
    finished = [False]
    if dist.get_rank() == 0:
        finished[0] = os.path.exists("STOP")
    if finished[0]:
        raise SystemExit(0)  # expect: [early-exit-before-collective] "rank 0 leaves here"
    dist.all_reduce(x)


def by_exit_bad(x):
    finished = False
    if dist.get_rank() == 0:
        finished = os.path.exists("STOP")
    if finished:
        sys.exit(0)  # expect: [early-exit-before-collective] "rank 0 leaves here"
    dist.all_reduce(x)


def by_an_error_ok(x, path):
    missing = False
    if dist.get_rank() == 0:
        missing = not os.path.exists(path)
    if missing:
        raise ValueError(path)  # silent: [checks-input]
    dist.all_reduce(x)


def told_to_all_ok(x):
    finished = [False]
    if dist.get_rank() == 0:
        finished[0] = os.path.exists("STOP")
    dist.broadcast_object_list(finished, src=0)
    if finished[0]:
        raise SystemExit(0)
    dist.all_reduce(x)


def all_end_ok(x, steps):
    if steps == 0:
        raise SystemExit("nothing to do")
    dist.all_reduce(x)


def taken_by_a_handler_ok(x):
    try:
        if dist.get_rank() == 0:
            raise SystemExit()
    except SystemExit:
        pass
    dist.all_reduce(x)
