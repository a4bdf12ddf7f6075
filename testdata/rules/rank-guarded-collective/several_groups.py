"""Stages that are in several groups of one name: the getter gives a list there."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def share_ok(item):
    if mpu.is_pipeline_first_stage():
        for part, group in zip(item.chunk(2), mpu.get_pipeline_model_parallel_group()):
            dist.broadcast(part, mpu.get_pipeline_model_parallel_first_rank(), group=group)
    else:
        dist.broadcast(item, mpu.get_pipeline_model_parallel_first_rank(), group=mpu.get_pipeline_model_parallel_group())  # silent: [several-groups]


def share_if_several(item):
    if isinstance(mpu.get_pipeline_model_parallel_group(), list):
        for i, group in enumerate(mpu.get_pipeline_model_parallel_group()):
            dist.broadcast(item[i], mpu.get_pipeline_model_parallel_first_rank(), group=group)
    else:
        dist.broadcast(item, mpu.get_pipeline_model_parallel_first_rank(), group=mpu.get_pipeline_model_parallel_group())


def in_both_arms_ok(shapes, count):
    if mpu.is_pipeline_first_stage():
        shapes.fill_(count)
        share_if_several(shapes)
    else:
        share_if_several(shapes)


def one_group_bad(shapes):
    if not mpu.is_pipeline_first_stage():
        dist.broadcast(shapes, 0, group=mpu.get_pipeline_model_parallel_group())  # expect: [rank-guarded-collective] "`broadcast` on `pp`"
