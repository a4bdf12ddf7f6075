"""A rank that was told to something that communicates is the same rank behind it; what was exchanged is equal."""
import torch
import torch.distributed as dist


def set_up(rank, x):
    dist.broadcast(x, 0)
    print(rank)


def told_to_a_helper_bad(x):
    rank = dist.get_rank()
    set_up(rank, x)
    if rank == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def told_to_a_barrier_bad(x):
    rank = dist.get_rank()
    dist.barrier(device_ids=[rank])  # expect: [device-not-bound]
    if rank == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def guard_told_bad(x):
    is_main = dist.get_rank() == 0
    set_up(is_main, x)
    if is_main:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def in_a_tensor_good(x):
    rank = torch.tensor(dist.get_rank())
    dist.broadcast(rank, 0)
    if rank > 0:
        dist.all_reduce(x)


def agreed(thing):
    things = [thing]
    dist.broadcast_object_list(things, 0)
    return things[0]


def agreed_on_good(x):
    if agreed(dist.get_rank() == 0):
        dist.all_reduce(x)


def agreed_path_good(x, make):
    path = agreed(make() if dist.get_rank() == 0 else None)
    if path is not None:
        dist.all_reduce(x)
