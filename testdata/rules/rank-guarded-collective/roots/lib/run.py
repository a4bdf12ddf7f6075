"""A folder that is called as a library does not hide it."""
import torch.distributed as dist


def library_bad():
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
