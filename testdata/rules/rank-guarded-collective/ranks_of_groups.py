"""`group.rank()` is the rank within the group; of some libraries' groups `group.rank` is that in the world."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu
from vllm.distributed import get_tp_group


def across_ok(x):
    group = mpu.get_tensor_model_parallel_group()
    if group.rank() == 0:
        dist.all_reduce(x, group=mpu.get_data_parallel_group())


def within_bad(x):
    group = mpu.get_tensor_model_parallel_group()
    if group.rank() == 0:
        dist.all_reduce(x, group=group)  # expect: [rank-guarded-collective] "by ranks with `tp` rank 0"


def rank_of_the_first():
    return mpu.get_tensor_model_parallel_group().rank()


def across_through_a_call_ok(x):
    if rank_of_the_first() == 0:
        dist.all_reduce(x, group=mpu.get_data_parallel_group())


def in_the_world_bad(x):
    if get_tp_group().rank == 0:
        dist.all_reduce(x, group=mpu.get_data_parallel_group())  # expect: [rank-guarded-collective] "by rank 0"
