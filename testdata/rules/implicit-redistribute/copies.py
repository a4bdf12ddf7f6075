"""Copies into distributed parameters: which part of the line communicates."""
import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor


def place(module, name, tensor, factory=None):
    original = module._parameters[name].data
    if hasattr(original, "device_mesh"):
        mesh = original.device_mesh
        placements = original.placements
        module._parameters[name].data.copy_(factory(tensor, mesh, placements))  # expect: [implicit-redistribute] "`factory`, which is `distribute_tensor`, scatters or broadcasts"
    else:
        module._parameters[name].data.copy_(tensor)


def broadcast_then_place(model, tensors, factory):
    for name, parameter in model.named_parameters():
        if dist.get_rank() == 0:
            tensor = tensors[name].cuda()
        else:
            tensor = torch.empty_like(parameter, device="cuda")
        dist.broadcast(tensor, src=0)
        place(model, name, tensor, factory)


def load(model, tensors):
    broadcast_then_place(model, tensors, factory=distribute_tensor)


def other_placements_bad(weight: DTensor, path, mesh):
    whole = torch.load(path)
    weight.copy_(distribute_tensor(whole, mesh, [Replicate()]))  # expect: [implicit-redistribute] "where the placements differ" # expect: [distribute-from-source-rank] "every rank has read it"


def guarded_copy_bad(target: DTensor, source: DTensor):
    if dist.get_rank() == 0:
        target.copy_(source)  # expect: [implicit-redistribute] "only rank 0 gets there"


def guarded_redistribute_bad(weight: DTensor):
    if dist.get_rank() == 0:
        return weight.redistribute(placements=[Shard(1)])  # expect: [implicit-redistribute] "only rank 0 gets there"


def by_all_ok(target: DTensor, source: DTensor):
    target.copy_(source)
    if dist.get_rank() == 0:
        print("copied")


def from_one_rank_ok(parameter, tensor):
    parameter.data.copy_(distribute_tensor(tensor, parameter.device_mesh, parameter.placements))


def local_copy_ok(target: DTensor, source: DTensor):
    if dist.get_rank() == 0:
        target.to_local().copy_(source.to_local())
