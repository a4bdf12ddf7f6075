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
        dist.broadcast(tensor, src=0)  # expect-note: "from this broadcast"
        place(model, name, tensor, factory)


def load(model, tensors, path, alone):
    if alone:
        return read_alone(model, path, distribute_tensor)  # expect: [distribute-from-source-rank] "every rank has read it"
    broadcast_then_place(model, tensors, factory=distribute_tensor)


def read_alone(model, path, factory):
    return read_then_place(model, path, factory)


def read_then_place(model, path, factory):
    for name, tensor in torch.load(path).items():  # expect-note: "every rank reads it here"
        place(model, name, tensor, factory)


def read_everywhere(model, path):
    read_then_place(model, path, factory=distribute_tensor)  # expect: [distribute-from-source-rank] "every rank has read it"


def fall_back(model, tensors, path, factory):
    if not dist.is_available() or not dist.is_initialized():
        return read_then_place(model, path, factory)
    broadcast_then_place(model, tensors, factory)


def with_a_fall_back_ok(model, tensors, path):
    fall_back(model, tensors, path, factory=distribute_tensor)


def cut_or_scatter_bad(parameter, path, rank, ranks, cut):
    whole = torch.load(path)
    if cut:
        local = parameter.to_local()
        local.copy_(whole.chunk(ranks)[rank])
    else:
        parameter.data.copy_(distribute_tensor(whole, parameter.device_mesh, parameter.placements))  # expect: [distribute-from-source-rank] "every rank has read it"


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
