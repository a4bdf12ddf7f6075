"""Ranks that stand in a larger mesh, and axes that a callee alone asks about."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def two_of_three_bad(x):
    if dist.get_rank() < 2:
        dist.barrier(group=mpu.get_data_parallel_group())  # expect: [rank-guarded-collective] "`barrier` on `dp`"


def corner_of_three_by_three_bad(x):
    if not (mpu.get_data_parallel_rank() < 2):
        if mpu.get_tensor_model_parallel_rank() % 2 == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def below_any_world_ok(x):
    if dist.get_rank() >= 0:
        dist.barrier(group=mpu.get_data_parallel_group())
