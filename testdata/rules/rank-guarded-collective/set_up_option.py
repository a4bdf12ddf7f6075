"""The ranks are set up under an option: where it does not hold there is one process."""
import time

import torch
import torch.distributed as dist


def start(args):
    if args.distributed and args.backend:
        dist.init_process_group(args.backend)


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


def stop_under_another_option_bad(args, x):
    for _ in range(10):
        over = time.time() > args.limit
        if args.patient:
            flag = torch.tensor([int(over)])
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            over = flag.item() > 0
        if over:
            break  # expect: [data-dependent-collective] "clock"
        dist.all_reduce(x)


def main(args, x):
    start(args)
    stop_together_ok(args, x)
    stop_under_another_option_bad(args, x)
