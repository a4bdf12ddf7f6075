# A process that ends and says that nothing went wrong leaves the others behind: the launcher ends them only where one
# fails.
import os
import sys

import torch.distributed as dist


def reached_the_target_bad(model, rounds, target):
    for _ in range(rounds):
        dist.all_reduce(model.gradient)  # expect: [rank-guarded-collective] "`all_reduce`"
        if dist.get_rank() == 0:
            if model.measure() > target:
                sys.exit()


def only_measures_bad(model, batches):
    if dist.get_rank() == 0:
        if model.is_ready():
            print(model.measure(batches))
            os._exit(0)  # expect: [early-exit-before-collective] "`barrier`"
    dist.barrier()


def stop_here(model):
    print(model.name)
    sys.exit()


def ends_in_a_callee_bad(model):
    if dist.get_rank() == 0:
        if model.is_ready():
            stop_here(model)  # expect: [early-exit-before-collective] "`barrier`"
    dist.barrier()


# The launcher sees the next two, and ends the others; a replay has no launcher.
def fails(model):
    if dist.get_rank() == 0:
        if not model.is_ready():
            sys.exit(1)
    dist.barrier()


def says_why_it_fails(model):
    if dist.get_rank() == 0:
        if not model.is_ready():
            sys.exit("no model")
    dist.barrier()


def all_end_ok(model):
    dist.barrier()
    if dist.get_rank() == 0:
        if model.is_ready():
            print(model.measure())
            sys.exit(0)


def one_round_bad(t):
    for step in range(10):
        dist.all_reduce(t)  # expect: [rank-guarded-collective] "`all_reduce`"
        if dist.get_rank() == 0 and step == 3:
            return
