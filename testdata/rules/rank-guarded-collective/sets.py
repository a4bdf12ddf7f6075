"""Whether a rank is among constants, where the environment may not say one."""
import os

import torch.distributed as dist


def is_main():
    return int(os.getenv("RANK", -1)) in {-1, 0}


def is_local_main():
    return int(os.getenv("LOCAL_RANK", -1)) in {-1, 0}


def in_turns_ok(load):
    if not is_main():
        dist.barrier()
    if not is_local_main():
        dist.barrier()
    load()
    if is_main():
        dist.barrier()
    if is_local_main():
        dist.barrier()


def half_of_the_turns_bad(load):
    if not is_main():
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
    load()


def all_of_two_bad(x):
    if dist.get_rank() in {0, 1}:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
