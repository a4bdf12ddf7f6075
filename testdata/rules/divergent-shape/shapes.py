"""Shapes and types that follow from the rank."""
import torch
import torch.distributed as dist


def longer_by_rank_bad():
    x = torch.ones(dist.get_rank() + 1)
    dist.all_reduce(x)  # expect: [divergent-shape] "`all_reduce`"
    return x


def matrix_bad(width):
    rows = 4 if dist.get_rank() == 0 else 5
    x = torch.zeros(rows, width)
    dist.broadcast(x, src=0)  # expect: [divergent-shape] "`broadcast`"
    return x


def triangular_slice_bad(x, out):
    mine = x[: dist.get_rank() + 1]
    dist.all_gather_into_tensor(out, mine)  # expect: [divergent-shape] "`all_gather`"


def type_by_rank_bad(n):
    dtype = torch.bfloat16 if dist.get_rank() == 0 else torch.float32
    x = torch.empty(n, dtype=dtype)
    dist.broadcast(x, src=0)  # expect: [divergent-shape] "`broadcast`"
    return x


def constructor_in_each_arm_bad():
    if dist.get_rank() == 0:
        x = torch.zeros(8)
    else:
        x = torch.zeros(4)
    dist.all_reduce(x)  # expect: [divergent-shape] "`all_reduce`"
    return x


def same_shape_ok(n):
    x = torch.full((n,), float(dist.get_rank()))
    dist.all_reduce(x)
    return x


def world_size_ok():
    x = torch.zeros(dist.get_world_size())
    x[dist.get_rank()] = 1
    dist.all_reduce(x)
    return x


def equal_slices_ok(x, out, n):
    rank = dist.get_rank()
    mine = x[rank * n : (rank + 1) * n]
    dist.all_gather_into_tensor(out, mine)


def receive_buffer_of_equal_shape_ok(n, weights):
    if dist.get_rank() == 0:
        x = weights
    else:
        x = torch.empty_like(weights)
    dist.broadcast(x, src=0)
    return x


def objects_ok():
    payload = list(range(dist.get_rank()))
    everyone = [None] * dist.get_world_size()
    dist.all_gather_object(everyone, payload)
    return everyone


def padded_ok(items, width):
    x = torch.zeros(width)
    x[: dist.get_rank() + 1] = 1
    dist.all_reduce(x)
    return x


def same_shape_in_both_arms_ok(n):
    if dist.get_rank() == 0:
        x = torch.ones(n)
    else:
        x = torch.zeros(n)
    dist.all_reduce(x)
    return x
