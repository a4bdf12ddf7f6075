"""What the library itself makes of its helper."""
import torch.distributed as dist

from .utils.operations import broadcast_object_list


def shared_by_one_bad(info):
    if dist.get_rank() == 0:
        broadcast_object_list(info)  # expect: [rank-guarded-collective] "`broadcast_object_list`"


def shared_by_all_ok(info):
    if dist.get_rank() != 0:
        info = [None]
    broadcast_object_list(info)
    if info[0]:
        dist.barrier()
