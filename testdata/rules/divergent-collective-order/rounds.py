"""Loops of a few rounds that everybody can count, against calls."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def two_rounds_against_two_calls_ok(x):
    if mpu.get_data_parallel_rank() == 0:
        for _ in range(2):
            dist.all_reduce(x)
    else:
        dist.all_reduce(x)
        dist.all_reduce(x)


def two_rounds_against_three_calls_bad(x, y):
    if mpu.get_data_parallel_rank() == 0:
        for _ in range(2):
            dist.all_reduce(x)
    else:
        dist.all_reduce(x)
        dist.all_reduce(y)
        dist.all_reduce(x)  # expect: [divergent-collective-order] "`all_reduce`"


def last_call_behind_the_loop_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)
    else:
        for _ in range(2):
            dist.all_reduce(x)
        return
    dist.all_reduce(x)


def as_many_rounds_as_calls_ok(x):
    if dist.get_rank() == 0:
        for _ in range(2):
            for _ in range(2):
                dist.all_reduce(x)
    else:
        for _ in range(4):
            dist.all_reduce(x)


def leaves_in_the_first_round_ok(x):
    if dist.get_rank() == 0:
        for _ in range(2):
            dist.all_reduce(x)
            break
    else:
        dist.all_reduce(x)


def leaves_in_the_first_round_bad(x):
    if dist.get_rank() == 0:
        for _ in range(2):
            dist.all_reduce(x)
            break
    else:
        for _ in range(2):
            dist.all_reduce(x)  # expect: [divergent-collective-order] "`all_reduce`"


def a_loop_that_leaves_in_its_first_round_bad(x, n):
    for _ in range(n):
        if mpu.get_data_parallel_rank() == 1:
            dist.all_reduce(x, group=mpu.get_data_parallel_group())
        for _ in range(n):
            for _ in range(n):
                dist.all_reduce(x, group=mpu.get_data_parallel_group())  # expect: [divergent-collective-order] "once more"
            return


def a_loop_that_leaves_in_its_first_round_ok(x, n):
    for _ in range(n):
        dist.all_reduce(x, group=mpu.get_data_parallel_group())
        for _ in range(n):
            for _ in range(n):
                dist.all_reduce(x, group=mpu.get_data_parallel_group())
            return
