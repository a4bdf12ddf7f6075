"""One process plays a rank of a world that is not there, or is one of it."""
import os

import torch.distributed as dist


def estimate_ok(store):
    size = int(os.environ["WORLD_SIZE"])
    dist.init_process_group("fake", rank=int(os.environ["LOCAL_RANK"]), world_size=size, store=store)


def train_bad(store):
    size = int(os.environ["WORLD_SIZE"])
    dist.init_process_group("gloo", rank=int(os.environ["LOCAL_RANK"]), world_size=size, store=store)  # expect: [device-not-bound] "local rank"
