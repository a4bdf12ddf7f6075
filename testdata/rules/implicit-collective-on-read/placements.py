"""A tensor that every rank has whole is made whole without a word."""
import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor


def replicated_ok(x, mesh):
    whole = distribute_tensor(x, mesh, [Replicate()])
    if dist.get_rank() == 0:
        print(whole.full_tensor())


def replicated_on_every_dimension_ok(x, mesh):
    placements = [Replicate()] * mesh.ndim
    whole = distribute_tensor(x, mesh, placements)
    if dist.get_rank() == 0:
        print(whole.detach().full_tensor())


def made_whole_before_ok(x, mesh):
    part = distribute_tensor(x, mesh, [Shard(0)])
    part = part.redistribute(placements=[Replicate()])
    if dist.get_rank() == 0:
        print(part.full_tensor())


def sharded_bad(x, mesh):
    part = DTensor.from_local(x, mesh, [Shard(0)])
    if dist.get_rank() == 0:
        print(part.full_tensor())  # expect: [implicit-collective-on-read] "`full_tensor`"


def parameter_bad(x, mesh):
    weight = torch.nn.Parameter(distribute_tensor(x, mesh, [Shard(0)]))
    if dist.get_rank() == 0:
        print(weight.full_tensor())  # expect: [implicit-collective-on-read] "`full_tensor`"
