"""Whether a launcher has set its variables: each rank of a job has them."""
import os
import time

import torch
import torch.distributed as dist


def has_all():
    for name in ["RANK", "LOCAL_RANK", "WORLD_SIZE"]:
        if name not in os.environ:
            return False
    return True


def has_rank():
    if "RANK" not in os.environ:
        return False
    return True


def has_other():
    for name in ["RANK", "COLOUR"]:
        if name not in os.environ:
            return False
    return True


def is_over(limit, is_launched):
    over = time.time() > limit
    if is_launched:
        flag = torch.tensor([int(over)])
        dist.all_reduce(flag, op=dist.ReduceOp.MAX)
        over = bool(flag.item())
    return over


def each_ok(limit):
    for _ in range(10):
        if is_over(limit, has_all()):
            return
        dist.barrier()


def one_ok(limit):
    for _ in range(10):
        if is_over(limit, has_rank()):
            return
        dist.barrier()


def other_bad(limit):
    for _ in range(10):
        if is_over(limit, has_other()):
            return  # expect: [data-dependent-collective] "clock"
        dist.barrier()


def here_ok(limit):
    for _ in range(10):
        if is_over(limit, "WORLD_SIZE" in os.environ):
            return
        dist.barrier()


def starts_otherwise_bad():
    if "RANK" not in os.environ:
        dist.init_process_group("mpi")
        if dist.get_rank() == 0:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def set_up(args):
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        args.rank = int(os.environ["RANK"])
    elif "SLURM_PROCID" in os.environ:
        args.rank = int(os.environ["SLURM_PROCID"])
        os.environ["RANK"] = os.environ["SLURM_PROCID"]
    else:
        args.distributed = False
        return
    args.distributed = True
    dist.init_process_group("nccl")


def set_up_above_ok(args, limit):
    set_up(args)
    for _ in range(10):
        if is_over(limit, args.distributed):
            return
        dist.barrier()
