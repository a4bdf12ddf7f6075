# How long a list of every n-th rank is follows from its range, for each rank.
import torch.distributed as dist


def of_strided_ranges_ok():
    rank, world = dist.get_rank(), dist.get_world_size()
    if world == 4:
        across = [i for i in range(rank % 2, world, 2)]
        if len(across) > 1:
            dist.barrier()


def of_uneven_ranges_bad():
    rank, world = dist.get_rank(), dist.get_world_size()
    if world == 4:
        across = list(range(rank % 3, world, 3))
        if len(across) > 1:
            dist.barrier()  # expect: [rank-guarded-collective]
