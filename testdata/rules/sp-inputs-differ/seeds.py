"""Random numbers of one sample, which the ranks of a group draw each for itself."""
import random

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)


def set_seed(seed, deterministic=False):
    seed_everything(seed)


def start(dp, tp):
    return init_device_mesh("cuda", (dp, tp), mesh_dim_names=("dp", "tp"))


def seeded_ok(seed):
    torch.manual_seed(seed + dist.get_rank())  # silent: [draws-not-seen]


def several_ok(seed):
    own = seed * 1000 + dist.get_rank()
    random.seed(own)  # silent: [draws-not-seen]
    torch.manual_seed(own)


def through_functions_ok(seed):
    set_seed(seed + dist.get_rank(), deterministic=True)  # silent: [draws-not-seen]


def by_replica_ok(seed, mesh):
    torch.manual_seed(seed + mesh["dp"].get_local_rank())


def by_group_ok(seed, tp):
    torch.manual_seed(seed + dist.get_rank() // tp)


def alike_ok(seed):
    set_seed(seed)


def for_a_while_ok(seed):
    torch.manual_seed(seed + dist.get_rank())
    shift = torch.rand(1)
    torch.manual_seed(seed)
    return shift


def by_replica_afterwards_ok(seed, mesh):
    torch.manual_seed(seed + dist.get_rank())
    shift = torch.rand(1)
    torch.manual_seed(seed + mesh["dp"].get_local_rank())
    return shift


def alike_in_a_part_ok(seed, mesh):
    # What a part of the ranks is meant to draw for itself.
    torch.manual_seed(seed + mesh["tp"].get_local_rank())


def by_the_caller_fn(seed, rank):
    torch.manual_seed(seed + rank)  # known by its name only
