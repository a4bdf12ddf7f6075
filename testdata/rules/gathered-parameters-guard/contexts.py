"""Contexts that make sharded parameters whole."""
import deepspeed
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def zero_bad(layer):
    if dist.get_rank() == 0:
        with deepspeed.zero.GatheredParameters(layer.weight, modifier_rank=0):  # expect: [gathered-parameters-guard] "`GatheredParameters`"
            layer.weight.zero_()


def summoned_bad(model: FSDP):
    if dist.get_rank() == 0:
        with FSDP.summon_full_params(model, rank0_only=True, writeback=False):  # expect: [gathered-parameters-guard] "`summon_full_params`"
            print(sum(p.norm() for p in model.parameters()))


def zero_ok(layer):
    with deepspeed.zero.GatheredParameters(layer.weight, modifier_rank=0):
        if dist.get_rank() == 0:
            layer.weight.zero_()


def whole_in_this_stage_ok(layer, engine):
    stage = engine.config["zero_optimization"]["stage"]
    if dist.get_rank() == 0:
        if stage == 2:
            with deepspeed.zero.GatheredParameters(layer.weight):  # silent: [other-strategy]
                print(layer.weight)


def sharded_in_this_stage_bad(layer, engine):
    stage = engine.config["zero_optimization"]["stage"]
    if dist.get_rank() == 0:
        if stage == 3:
            with deepspeed.zero.GatheredParameters(layer.weight):  # expect: [gathered-parameters-guard]
                print(layer.weight)


def not_sharded_ok(layer):
    if dist.get_rank() == 0:
        with deepspeed.zero.GatheredParameters(layer.weight, enabled=False):
            print(layer.weight)


def summoned_ok(model: FSDP):
    with FSDP.summon_full_params(model, rank0_only=True, writeback=False):
        if dist.get_rank() == 0:
            print(sum(p.norm() for p in model.parameters()))
