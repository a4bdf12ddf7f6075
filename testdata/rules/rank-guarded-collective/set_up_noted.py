"""Who sets up the ranks notes whether there are several."""
import os
import time

import torch
import torch.distributed as dist


def start(args):
    if "RANK" not in os.environ:
        args.distributed = False
        return
    args.distributed = True
    args.quick = True
    dist.init_process_group("nccl")


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


def stop_when_quick_bad(args, x):
    for _ in range(10):
        over = time.time() > args.limit
        if args.quick:
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = flag.item() > 0
        if over:
            break  # expect: [data-dependent-collective] "clock"
        dist.all_reduce(x)
