"""Sides that meet in a collective and are told apart by a flag behind it, which every caller may hand over or not."""
import torch.distributed as dist


def one_more_under_a_flag_bad(x, verbose):
    if dist.get_rank() == 0:
        dist.all_reduce(x)
        if verbose:
            dist.barrier()  # expect: [divergent-collective-order] "`barrier` on `world`"
    else:
        dist.all_reduce(x)


def both_under_the_flag_ok(x, verbose):
    if dist.get_rank() == 0:
        dist.all_reduce(x)
        if verbose:
            dist.barrier()
    else:
        dist.all_reduce(x)
        if verbose:
            dist.barrier()


# What is decided behind the meeting was told in it: no rank decides that freely.
def told_how_many_ok(box, parts):
    if dist.get_rank() == 0:
        box[0] = len(parts)
        dist.broadcast_object_list(box)
        if box[0] > 0:
            dist.broadcast_object_list(parts)
    else:
        dist.broadcast_object_list(box)
        if box[0]:
            dist.broadcast_object_list(parts)  # silent: [met-before]
