"""Loaders that distribute what they read: who has read it?"""
from functools import partial

import torch
import torch.distributed as dist
from safetensors import safe_open
from torch.distributed.tensor import distribute_tensor


class Shards:
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with safe_open(self.path, framework="pt", device="cpu") as f:
            for key in f.keys():
                yield key, f.get_tensor(key)


def find_shards(path):
    return [Shards(path)]


def place(module, name, tensor, factory=None):
    parameter = module._parameters[name]
    tensor = tensor.to(parameter)
    mesh, placements = parameter.device_mesh, parameter.placements
    module._parameters[name] = factory(tensor, mesh, placements)


def load_all(model, path, factory=None, **kwargs):
    def dispatch(name, tensor):
        place(model, name, tensor, factory)

    for shard in find_shards(path):
        for name, tensor in shard:
            dispatch(name, tensor)


def load_first(model, path, factory=None):
    tensors = torch.load(path) if dist.get_rank() == 0 else {}
    for name, parameter in model.named_parameters():
        tensor = tensors[name] if dist.get_rank() == 0 else torch.empty_like(parameter)
        place(model, name, tensor, factory)


def handed_over_bad(model, path):
    load_all(model, path, factory=distribute_tensor)  # expect: [distribute-from-source-rank] "every rank has read it"


def handed_over_in_a_partial_bad(model, path):
    load_all(model, path, partial(distribute_tensor))  # expect: [distribute-from-source-rank] "every rank has read it"


def cut_locally_ok(model, path):
    load_all(model, path, factory=partial(distribute_tensor, src_data_rank=None))


def cut_locally_by_name_ok(model, path):
    local = partial(distribute_tensor, src_data_rank=None)
    load_all(model, path, factory=local)


def first_rank_reads_ok(model, path):
    load_first(model, path, factory=distribute_tensor)


def by_name_bad(path, mesh, placements):
    weights = torch.load(path)
    return {k: distribute_tensor(v, mesh, placements) for k, v in weights.items()}  # expect: [distribute-from-source-rank] "every rank has read it"


def to_shards(weight, mesh, placements):
    return distribute_tensor(weight, mesh, placements)  # expect: [distribute-from-source-rank] "every rank has read it"


def in_the_callers_hands(path, mesh, placements):
    weight = torch.load(path)["weight"]
    return to_shards(weight, mesh, placements)


def fresh_ok(shape, mesh, placements):
    return distribute_tensor(torch.zeros(shape), mesh, placements)


def replaced_before_ok(path, shape, mesh, placements):
    weight = torch.load(path)["weight"]
    print(weight.norm())
    weight = torch.zeros(shape)
    return distribute_tensor(weight, mesh, placements)


def broadcast_before_ok(state, mesh, placements):
    for name, tensor in state.items():
        tensor = tensor.cuda()
        dist.broadcast(tensor, src=0)
        state[name] = distribute_tensor(tensor, mesh, placements)


def room_on_the_others_ok(model, path):
    # Every rank reads, as it happens, but only the first hands on what it has.
    read = torch.load(path)
    for name, parameter in model.named_parameters():
        if dist.get_rank() == 0:
            whole = read[name]
        else:
            whole = torch.empty(parameter.shape)
        distribute_tensor(whole, parameter.device_mesh, parameter.placements)
