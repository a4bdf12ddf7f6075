"""A function that asks for a flag, called with one flag by some ranks and with another by all."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def called_by_some_first_bad(x, fast, checked):
    if mpu.get_data_parallel_rank() == 0:
        reduce_if(x, fast, checked)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"
    reduce_if(x, not checked, checked)


def called_with_either_flag_bad(x, fast, slow):
    if dist.get_rank() == 0:
        reduce_if(x, fast, True)
    else:
        reduce_if(x, slow, True)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def called_with_one_flag_ok(x, fast):
    if dist.get_rank() == 0:
        reduce_if(x, fast, True)
    else:
        reduce_if(x, fast, True)


def handed_data_of_its_own_ok(x, y):
    if dist.get_rank() == 0:
        reduce_if(x, True, True)
    else:
        reduce_if(y, True, True)


def reduce_if(x, wanted, checked):
    if wanted:
        if checked:
            dist.all_reduce(x)
