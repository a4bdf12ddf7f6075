"""Chunks picked by a coordinate of the mesh."""


def by_coordinate_bad(tensor, mesh, placements):
    for dim, placement in enumerate(placements):
        rank = mesh.get_coordinate()[dim]
        shards = tensor.chunk(mesh.size(dim), dim=placement.dim)
        tensor = shards[rank].contiguous()  # expect: [chunk-fewer-than-ranks] "`shards`"
    return tensor


def along_a_known_dimension_ok(weight, mesh):
    rank = mesh.get_local_rank()
    return weight.chunk(mesh.size(), dim=0)[rank]  # silent: [known-dimension]


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
