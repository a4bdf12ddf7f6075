"""Chunks picked by a coordinate of the mesh."""
import torch


def of_the_last_batch_bad(loader, model, mesh):
    rank = mesh.get_local_rank()
    for batch in loader:
        shards = batch.chunk(mesh.size(), dim=0)
        model(shards[rank])  # expect: [chunk-fewer-than-ranks] "`shards`"


def along_any_dimension_of_a_batch_bad(loader, model, mesh, dim):
    rank = mesh.get_local_rank()
    for batch in loader:
        shards = torch.chunk(batch, mesh.size(), dim)
        model(shards[rank])  # expect: [chunk-fewer-than-ranks] "`shards`"


def of_written_sizes_bad(mesh):
    whole = torch.zeros(6, 8)
    return whole.chunk(4)[mesh.get_local_rank()]  # expect: [chunk-fewer-than-ranks]


def of_sizes_that_suffice_ok(mesh):
    whole = torch.zeros(6, 8)
    first = whole.chunk(3)[mesh.get_local_rank()]
    return first, whole.chunk(4, dim=-1)[mesh.get_local_rank()]


def of_a_size_that_is_not_known_ok(tensor, mesh, placements):
    for dim, placement in enumerate(placements):
        rank = mesh.get_coordinate()[dim]
        shards = tensor.chunk(mesh.size(dim), dim=placement.dim)
        tensor = shards[rank].contiguous()  # silent: [unknown-size]
    return tensor


def of_features_ok(loader, model, mesh):
    for batch in loader:
        shards = batch.chunk(mesh.size(), dim=-1)
        model(shards[mesh.get_local_rank()])  # silent: [unknown-size]


def of_a_weight_ok(weight, mesh):
    rank = mesh.get_local_rank()
    return weight.chunk(mesh.size(), dim=0)[rank]  # silent: [unknown-size]


def divisible_ok(tensor, mesh):
    assert tensor.size(0) % mesh.size() == 0
    shards = tensor.chunk(mesh.size(), dim=0)
    rank = mesh.get_local_rank()
    return shards[rank]


def constant_index_ok(tensor, mesh):
    gate, up = tensor.chunk(2, dim=-1)
    halves = tensor.chunk(2, dim=-1)
    return gate, up, halves[0]


def split_evenly_ok(tensor, mesh):
    shards = tensor.tensor_split(mesh.size(), dim=0)
    rank = mesh.get_local_rank()
    return shards[rank]
