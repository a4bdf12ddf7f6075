# Groups that some ranks make, and that are theirs.
import os
import sys

import torch.distributed as dist


def two_are_there_ok():
    rank = int(os.environ["RANK"])
    if rank < 2:
        dist.init_process_group("gloo", rank=rank, world_size=2)  # silent: [group-of-number]


def one_serves_the_others_ok(serve):
    if int(os.environ["RANK"]) == 0:
        serve()
        sys.exit(0)
    dist.init_process_group("nccl")  # silent: [sets-up-world-below]
