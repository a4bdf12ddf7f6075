"""The group is made where there is CUDA: on the way of a machine without it no rank waits for another."""
import time

import torch
import torch.distributed as dist


def start():
    if dist.is_available() and torch.cuda.is_available():
        dist.init_process_group("nccl")


def ranks():
    if dist.is_initialized() and torch.cuda.is_available():
        return dist.get_world_size()
    return 1


def run_ok(limit, x):
    for _ in range(10):
        over = time.time() > limit
        if ranks() > 1:
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = flag.item() > 0
        if over:
            break  # silent: [set-up-option]
        dist.all_reduce(x)


def run_bad(limit, x):
    for _ in range(10):
        over = time.time() > limit
        if not torch.cuda.is_available():
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = flag.item() > 0
        if over:
            break  # expect: [data-dependent-collective] "clock"
        dist.all_reduce(x)


def main(limit, x):
    start()
    run_ok(limit, x)
    run_bad(limit, x)
