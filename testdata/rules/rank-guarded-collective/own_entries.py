"""What a rank looks up for itself in a table: whether the members of one group find the same is not known."""
import torch.distributed as dist
from megatron.core import mpu

_STAGES = None
_MY_STAGE = None


def is_first_of_its_stage():
    if _STAGES is None:
        return False
    return dist.get_rank() == _STAGES[_MY_STAGE][0]


def reduce_between_stages_ok(x):
    if is_first_of_its_stage():
        dist.all_reduce(x, group=mpu.get_pipeline_model_parallel_group())  # silent: [own-entry]


def reduce_over_all_bad(x):
    if is_first_of_its_stage():
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def reduce_between_stages_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=mpu.get_pipeline_model_parallel_group())  # expect: [rank-guarded-collective] "`all_reduce`"
