"""A function that asks for its own rank along an axis and is given the group by its caller."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def share(x, group):
    if mpu.get_data_parallel_rank() == 0:
        dist.all_reduce(x, group=group)  # expect: [rank-guarded-collective] "`all_reduce` on `dp` is issued by ranks with `dp` rank 0"


def along_the_axis_that_is_asked_for(x):
    share(x, mpu.get_data_parallel_group())


def share_along_another(x, group):
    if mpu.get_data_parallel_rank() == 0:
        dist.all_reduce(x, group=group)


def along_another_axis_ok(x):
    share_along_another(x, mpu.get_tensor_model_parallel_group())
