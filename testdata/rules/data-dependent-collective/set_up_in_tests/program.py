"""The program makes a group where there is CUDA; a test of it makes one in any case."""
import time

import torch
import torch.distributed as dist


def start():
    if torch.cuda.is_available():
        dist.init_process_group("nccl")


def run_ok(limit, x):
    for _ in range(10):
        over = time.time() > limit
        if torch.cuda.is_available():
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = flag.item() > 0
        if over:
            break  # silent: [set-up-option]
        dist.all_reduce(x)


if __name__ == "__main__":
    start()
    run_ok(600, torch.ones(1))
