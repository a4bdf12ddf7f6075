"""`copy_` keeps the placements of its destination: what it sends follows from both."""
import torch.distributed as dist
from torch.distributed.tensor import Replicate, Shard, distribute_tensor


def equal_placements_ok(x, y, mesh):
    a = distribute_tensor(x, mesh, [Shard(0)])
    b = distribute_tensor(y, mesh, [Shard(0)])
    if dist.get_rank() == 0:
        a.copy_(b)


def whole_into_parts_ok(x, y, mesh):
    a = distribute_tensor(x, mesh, [Shard(0)])
    b = distribute_tensor(y, mesh, [Replicate()])
    if dist.get_rank() == 0:
        a.copy_(b)


def parts_into_whole_bad(x, y, mesh):
    a = distribute_tensor(x, mesh, [Shard(0)])
    b = distribute_tensor(y, mesh, [Replicate()])
    if dist.get_rank() == 0:
        a.copy_(b)
        b.copy_(a)  # expect: [implicit-redistribute] "`copy_`"


def other_dimension_bad(x, y, mesh):
    a = distribute_tensor(x, mesh, [Shard(0)])
    b = distribute_tensor(y, mesh, [Shard(1)])
    if dist.get_rank() == 0:
        a.copy_(b)  # expect: [implicit-redistribute] "`copy_`"
