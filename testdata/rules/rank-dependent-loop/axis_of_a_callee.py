"""A callee goes round by its rank along an axis, on a group that its caller gives it."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def gives_the_world(x):
    rounds_by_rank_bad(x, dist.group.WORLD)


def gives_another_axis(x):
    rounds_on_another_axis_ok(x, mpu.get_data_parallel_group())


def rounds_by_rank_bad(x, group):
    for _ in range(mpu.get_tensor_model_parallel_rank()):  # expect: [rank-dependent-loop] "around `all_reduce` on `world`"
        dist.all_reduce(x, group=group)


def rounds_on_another_axis_ok(x, group):
    for _ in range(mpu.get_tensor_model_parallel_rank()):
        dist.all_reduce(x, group=group)


def rounds_by_part_ok(x, size):
    # The ranks of one part of the world, most likely, have one quotient.
    for _ in range(dist.get_rank() // size + 1):  # silent: [tests-part]
        dist.all_reduce(x, group=mpu.get_tensor_model_parallel_group())


def rounds_by_part_in_the_world_bad(x, size):
    for _ in range(dist.get_rank() // size + 1):  # expect: [rank-dependent-loop] "around `all_reduce` on `world`"
        dist.all_reduce(x)
