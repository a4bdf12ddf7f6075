"""Flags by which a program knows whether a launcher started it."""
import os

import torch
import torch.distributed as dist


def set_up(args):
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        args.number = int(os.environ["RANK"])
    else:
        args.in_job = False
        return
    args.in_job = True
    dist.init_process_group("nccl")


def written_in_a_job_bad(args, scores):
    set_up(args)
    if args.in_job:
        torch.save(scores, args.output)  # expect: [shared-file-written-by-all] "`args.output`"
    dist.barrier()


def set_up_first(args):
    dist.init_process_group("nccl")
    args.is_chief = False
    if args.rank == 0:
        args.is_chief = True


def written_by_one_ok(args, scores):
    set_up_first(args)
    if args.is_chief:
        torch.save(scores, args.output)
    dist.barrier()
