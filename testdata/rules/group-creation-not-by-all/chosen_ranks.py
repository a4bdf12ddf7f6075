# Lists of ranks that each rank picks out for itself, in a loop or a comprehension.
import torch.distributed as dist


def comprehension_bad(size):
    rank = dist.get_rank()
    ranks = [r for r in range(dist.get_world_size()) if r // size == rank // size]
    return dist.new_group(ranks)  # expect: [group-creation-not-by-all] "`new_group`"


def loop_bad(size):
    rank = dist.get_rank()
    ranks = []
    for r in range(dist.get_world_size()):
        if r % size == rank % size:
            ranks.append(r)
    return dist.new_group(ranks)  # expect: [group-creation-not-by-all] "`new_group`"


def same_choice_everywhere_ok(size):
    ranks = [r for r in range(dist.get_world_size()) if r % size == 0]
    return dist.new_group(ranks)
