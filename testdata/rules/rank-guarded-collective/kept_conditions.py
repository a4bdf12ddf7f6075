# A condition that is put into a variable first, and joined with what the configuration says.
import torch.distributed as dist


def either_bad(x, everywhere):
    takes_part = everywhere or dist.get_rank() == 0
    if takes_part:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world` is issued by rank 0 and not by"


def any_of_three_bad(x, everywhere, sharded):
    takes_part = everywhere or sharded or dist.get_rank() == 0
    if takes_part:
        if not sharded:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def both_bad(x, enabled):
    takes_part = enabled and dist.get_rank() == 0
    if takes_part:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def paths_of_all(path):
    paths = [None] * dist.get_world_size()
    dist.all_gather_object(paths, path)
    return paths


def order_turned_round_bad(x, everywhere, sharded, folder):
    takes_part = everywhere or sharded or dist.get_rank() == 0
    try:
        if takes_part:
            folder = folder if sharded else paths_of_all(folder)[0]  # expect: [rank-guarded-collective] "`all_gather_object`"
    finally:
        dist.barrier()
    if not takes_part:
        x = paths_of_all(x)[0]
    return x, folder


def other_ranks_go_the_other_way_ok(x, everywhere, sharded):
    takes_part = everywhere or sharded or dist.get_rank() == 0
    if takes_part:
        dist.broadcast(x, 0)
    if not takes_part:
        dist.broadcast(x, 0)


def configured_ok(x, everywhere, sharded):
    takes_part = everywhere or sharded
    if takes_part:
        dist.all_reduce(x)
