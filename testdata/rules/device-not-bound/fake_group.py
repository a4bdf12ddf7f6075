"""One process plays a rank of a world that is not there, or is one of it."""
import os

import torch
import torch.distributed as dist


def estimate_ok(store):
    size = int(os.environ["WORLD_SIZE"])
    dist.init_process_group("fake", rank=int(os.environ["LOCAL_RANK"]), world_size=size, store=store)


def train_bad(store):
    size = int(os.environ["WORLD_SIZE"])
    dist.init_process_group("gloo", rank=int(os.environ["LOCAL_RANK"]), world_size=size, store=store)  # expect: [device-not-bound] "local rank"


def plays_first_ok(net, store):
    dist.init_process_group("fake", rank=0, world_size=256, store=store)
    return net.to(f"cuda:{dist.get_rank()}")


def binds_as_first_ok(store):
    dist.init_process_group("fake", rank=0, world_size=256, store=store)
    torch.cuda.set_device(dist.get_rank())


def runs_bad(net, store):
    dist.init_process_group("nccl", store=store)
    return net.to(f"cuda:{dist.get_rank()}")  # expect: [device-not-bound] "global rank's number"
