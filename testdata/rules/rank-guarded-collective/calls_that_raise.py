"""Functions that only raise, and those that might be taken for one."""
import functools

import torch.distributed as dist

try:
    import wandb

    def log(x):
        wandb.log(x)

except ImportError:

    def log(x):
        raise ImportError("wandb")


def fail(message):
    raise RuntimeError(message)


@functools.singledispatch
def move(x):
    raise TypeError(x)


@move.register
def _(x: int):
    return x


def after_a_choice_bad(strict):
    report = fail if strict else print
    report("odd")
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def after_a_handed_function_bad(report=None):
    if report is None:
        report = fail
    report("odd")
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def after_another_definition_bad(x):
    log(x)
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def after_a_stand_in_bad(x):
    move(x)
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def after_a_failure_ok(x):
    fail(x)
    if dist.get_rank() == 0:
        dist.barrier()


def in_a_world_of_one_ok():
    if dist.get_world_size() != 1:
        fail("one rank only")
    if dist.get_rank() == 0:
        dist.barrier()


def caught_here_bad():
    try:
        if dist.get_rank() == 0:
            fail("first")
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
    except RuntimeError:
        pass


class Replaced:
    def step(self, x):
        raise RuntimeError(x)


def replace(step):
    Replaced.step = step


def after_a_replaced_method_bad(x):
    Replaced().step(x)
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
