"""Conditions that follow from configuration, arguments, the environment and sizes."""
import argparse
import os
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup

    dist.barrier()


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--synchronise", action="store_true")
    args = parser.parse_args()
    if args.synchronise:
        dist.barrier()


def configured(config, x):
    if config.get("reduce", True):
        dist.all_reduce(x)


def environment(x):
    if os.getenv("REDUCE_METRICS") == "1":
        dist.all_reduce(x)
    if "DEBUG" in os.environ:
        dist.barrier()


def world_size_from_the_environment(x):
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        dist.all_reduce(x)


def single_rank(x, group: "ProcessGroup" = None):
    if dist.get_world_size(group) == 1:
        return x
    dist.all_reduce(x, group=group)
    return x


def not_initialised(x):
    if not (dist.is_available() and dist.is_initialized()):
        return x
    dist.all_reduce(x)
    return x


def rank_or_zero():
    return dist.get_rank() if dist.is_initialized() else 0


def only_when_not_initialised():
    if not dist.is_initialized():
        dist.init_process_group("nccl")
    dist.barrier()


def group_or_none(x, group=None):
    if group is not None:
        dist.all_reduce(x, group=group)


def distributed_flag(x, distributed: bool):
    if distributed:
        dist.all_reduce(x)


def device_kind(x):
    if torch.cuda.is_available():
        x = x.cuda()
    dist.all_reduce(x)


def capability(x):
    if hasattr(dist, "all_reduce_coalesced"):
        dist.all_reduce_coalesced([x])
    else:
        dist.all_reduce(x)


def steps(x, step, every):
    if step > 0 and step % every == 0:
        dist.all_reduce(x)


def fallback_version(x):
    if torch.__version__ >= "2.0":
        dist.all_reduce(x)
    else:
        dist.barrier()


def dead_code(x):
    if False:
        if dist.get_rank() == 0:
            dist.all_reduce(x)
    return x
