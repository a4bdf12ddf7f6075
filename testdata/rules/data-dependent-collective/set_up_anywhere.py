"""A group is made with and without CUDA: ranks wait for each other on both ways."""
import time

import torch
import torch.distributed as dist


def start():
    if torch.cuda.is_available():
        dist.init_process_group("nccl")
    else:
        dist.init_process_group("gloo")


def run_bad(limit, x):
    for _ in range(10):
        over = time.time() > limit
        if torch.cuda.is_available():
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = flag.item() > 0
        if over:
            break  # expect: [data-dependent-collective] "clock"
        dist.all_reduce(x)


def main(limit, x):
    start()
    run_bad(limit, x)
