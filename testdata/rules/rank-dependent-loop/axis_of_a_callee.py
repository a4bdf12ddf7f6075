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
