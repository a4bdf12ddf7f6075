"""Who communicates before asking whether the group is there has one; who asks first may make it."""
import torch.distributed as dist


def communicate_and_ask_ok(x):
    dist.barrier()
    if not dist.is_initialized():
        dist.init_process_group("nccl")
    dist.all_reduce(x)


def ask_twice_ok(x):
    if not dist.is_initialized():
        dist.init_process_group("nccl")
    if not dist.is_initialized():
        dist.init_process_group("nccl")
    dist.all_reduce(x)
