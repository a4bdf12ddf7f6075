"""A GPU that all processes of a machine have in common, by whatever that is computed."""
import os

import torch
import torch.distributed as dist


def the_last_bad():
    dist.init_process_group("nccl")
    torch.cuda.set_device(torch.cuda.device_count() - 1)  # expect: [device-not-bound] "`torch.cuda.device_count() - 1`"
    dist.barrier()


def the_machines_number_bad():
    torch.cuda.set_device(int(os.environ["RANK"]) // torch.cuda.device_count())  # expect: [device-not-bound] "share it"
    dist.init_process_group("nccl")
    dist.barrier()


def its_own_ok():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["RANK"]) % torch.cuda.device_count())
    dist.barrier()


def under_a_launcher_bad(args):
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        args.rank = int(os.environ["RANK"])
    elif "SLURM_PROCID" in os.environ:
        args.rank = int(os.environ["SLURM_PROCID"])
    else:
        args.distributed = False
        return
    torch.cuda.set_device(0)  # expect: [device-not-bound] "every process binds GPU 0"
    dist.init_process_group("nccl", rank=args.rank)
    dist.barrier()


def where_launched_bad():
    if "RANK" in os.environ:
        torch.cuda.set_device(0)  # expect: [device-not-bound] "every process binds GPU 0"
        dist.init_process_group("nccl")


def by_itself_ok():
    if "RANK" in os.environ:
        dist.init_process_group("nccl")
        dist.barrier()
        return
    torch.cuda.set_device(0)
