"""Conditions that come out both ways only where an axis has more than two ranks."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def below_two_bad(x):
    if mpu.get_tensor_model_parallel_rank() < 2:
        dist.all_reduce(x, group=mpu.get_tensor_model_parallel_group())  # expect: [rank-guarded-collective] "`all_reduce`"


def rank_seven_bad(x):
    if dist.get_rank() == 7:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def below_two_along_the_other_axis_ok(x):
    if mpu.get_tensor_model_parallel_rank() < 2:
        dist.all_reduce(x, group=mpu.get_data_parallel_group())


# Two rounds are at least one: nobody comes to the condition.
def left_in_the_first_round_ok(x):
    for _ in range(2):
        return
    if dist.get_rank() == 0:
        dist.all_reduce(x)


# Nothing of the loop stands behind the way out; what stands before it comes again.
def left_behind_the_collective_bad(x, steps):
    for _ in range(steps):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
        if dist.get_rank() == 0:
            break


def of_eight_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if n == 8 and rank < 4:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def of_a_multiple_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if n % 6 == 0:
        if rank == 5:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def of_eight_ok(x):
    if dist.get_world_size() == 8:
        dist.all_reduce(x)


def beyond_a_small_world_bad(x):
    if dist.get_rank() >= 32:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks from 32 on and not by ranks 0-31"


def beyond_a_small_world_ok(x):
    if dist.get_world_size() > 64:
        dist.all_reduce(x)
