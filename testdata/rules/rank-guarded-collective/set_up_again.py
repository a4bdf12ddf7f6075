"""Functions that set up the ranks and call each other: what all others that call them ask for counts."""
import time

import torch
import torch.distributed as dist


def start(args):
    try:
        dist.init_process_group("nccl")
    except RuntimeError:
        start_again(args)


def start_again(args):
    if args.retries:
        time.sleep(1)
        start(args)


def stop_together_ok(args, x):
    for _ in range(10):
        over = time.time() > args.limit
        if args.distributed:
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = flag.item() > 0
        if over:
            break  # silent: [set-up-option]
        dist.all_reduce(x)


def main(args, x):
    if args.distributed:
        start(args)
    stop_together_ok(args, x)
