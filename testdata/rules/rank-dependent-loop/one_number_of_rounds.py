"""Loops over one number of rounds go round together: either all of them do, or none."""
import torch.distributed as dist


# Behind the first loop there are no rounds at all.
def left_in_the_first_ok(x, rounds):
    for _ in range(rounds):
        return
    if dist.get_rank() % 2 == 0:
        for _ in range(rounds):
            dist.all_reduce(x)


def on_both_sides_ok(x, rounds):
    if dist.get_rank() == 0:
        for _ in range(rounds):
            dist.all_reduce(x)
    else:
        for _ in range(rounds):
            dist.all_reduce(x)


def skipped_by_the_first_bad(x, rounds):
    for _ in range(rounds):
        if dist.get_rank() == 0:
            return  # expect: [early-exit-before-collective] "`all_reduce` on `world`"
    for _ in range(rounds):
        dist.all_reduce(x)


def one_round_ahead_bad(x, rounds):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"
    for _ in range(rounds):
        dist.all_reduce(x)


# The inner loop stands where the first rank has not yet been in it, a round behind.
def inner_round_ahead_bad(x, rounds):
    for _ in range(rounds):
        if dist.get_rank() != 0:
            dist.all_reduce(x)
        for _ in range(rounds):
            dist.all_reduce(x)  # expect: [divergent-collective-order] "`all_reduce` on `world`"
