# Tensors of as many elements as are in a rank's share of something.
import torch
import torch.distributed as dist


def share_bad(items, measure):
    rank, world = dist.get_rank(), dist.get_world_size()
    results = [measure(item) for item in items[rank::world]]
    mine = torch.tensor(results)
    everyone = [torch.empty_like(mine) for _ in range(world)]
    dist.all_gather(everyone, mine)  # expect: [divergent-shape] "this rank's share"
    return everyone


def appended_bad(items, measure):
    rank, world = dist.get_rank(), dist.get_world_size()
    results = []
    for item in items[rank::world]:
        results.append(measure(item))
    mine = torch.stack(results).cuda()
    everyone = torch.empty(len(items), device="cuda")
    dist.all_gather_into_tensor(everyone, mine)  # expect: [divergent-shape] "this rank's share"
    return everyone


def whole_ok(items, measure):
    results = [measure(item) for item in items]
    mine = torch.tensor(results)
    dist.all_reduce(mine)


def left_out_ok(items, measure):
    rank, world = dist.get_rank(), dist.get_world_size()
    items = items[: len(items) // world * world]
    mine = torch.tensor([measure(item) for item in items[rank::world]])
    everyone = [torch.empty_like(mine) for _ in range(world)]
    dist.all_gather(everyone, mine)
    return everyone


def summed_ok(items, measure):
    rank, world = dist.get_rank(), dist.get_world_size()
    total = torch.tensor([measure(item) for item in items[rank::world]]).sum()
    dist.all_reduce(total)
    return total


def padded_ok(items, measure, pad_to):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = torch.tensor([measure(item) for item in items[rank::world]])
    mine = pad_to(mine, len(items))
    everyone = [torch.empty_like(mine) for _ in range(world)]
    dist.all_gather(everyone, mine)
    return everyone


def as_objects_ok(items, measure):
    rank, world = dist.get_rank(), dist.get_world_size()
    results = [measure(item) for item in items[rank::world]]
    everyone = [None] * world
    dist.all_gather_object(everyone, results)
    return everyone


# It is not known which tensors are in the list; each one has its own position.
def own_places(items, measure, sizes):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = torch.tensor([measure(item) for item in items[rank::world]])
    everyone = [torch.empty(size) for size in sizes]
    dist.all_gather(everyone, mine)  # silent: [paired-sizes]
    return everyone
