# What a function of the language or its library makes of a rank is computed for each rank.
import math
import operator
import os

import torch.distributed as dist

RANK_ENV = os.environ["RANK"]
FLAGS = [True, False, False, True] * 2


def table_bad(x):
    if FLAGS[dist.get_rank()]:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def table_ok(x):
    flags = [True] * dist.get_world_size()
    if flags[dist.get_rank()]:
        dist.all_reduce(x)


def any_of_the_even_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if any(rank == r for r in range(0, n, 2)):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def any_ok(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if any(rank == r for r in range(n)) and all(rank != r for r in range(n, 2 * n)):
        dist.all_reduce(x)


def any_of_some_ok(x, owners):
    rank, n = dist.get_rank(), dist.get_world_size()
    if any(owners[r] == rank for r in range(n)):
        dist.all_reduce(x)


def number_before_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if sum(1 for r in range(n) if r < rank) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def number_of_all_ok(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if sum(1 for r in range(n) if r != rank) == n - 1:
        dist.all_reduce(x)


def behind_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if len([r for r in range(n) if r > rank]) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def next_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if next(r for r in range(n) if r >= rank) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def in_a_list_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if rank in [r for r in range(n) if r % 2]:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def in_a_list_ok(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if rank in [r for r in range(n)] and rank in [r for r in range(2 * n) if r < n]:
        dist.all_reduce(x)


def rounded_bad(x):
    if math.floor(dist.get_rank() / 2) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def rounded_up_bad(x):
    if math.ceil(dist.get_rank() / 2) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def truncated_bad(x):
    if int(dist.get_rank() / 2) == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def rounded_ok(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if math.floor(rank / n) == 0 and int(rank / n) == 0 and round(rank / 1) == rank:
        dist.all_reduce(x)


def power_bad(x):
    if pow(dist.get_rank(), 2) > 3:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def operator_bad(x):
    if operator.eq(dist.get_rank(), 0):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def same_ok(x):
    rank = dist.get_rank()
    if operator.ge(rank, 0) and pow(rank, 0) == 1:
        dist.all_reduce(x)


def digits_bad(x):
    if bin(dist.get_rank()).count("1") == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def length_bad(x):
    if dist.get_rank().bit_length() > 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def digits_ok(x):
    if bin(dist.get_rank()).startswith("0b"):
        dist.all_reduce(x)


def place_bad(x):
    if list(range(dist.get_world_size())).index(dist.get_rank()) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def place_in_text_bad(x):
    if "0123".find(str(dist.get_rank())) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def role_of(rank):
    if rank == 0:
        return "writer"
    return "reader" if rank < 3 else "idle"


def begins_bad(x):
    if role_of(dist.get_rank()).startswith("w"):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def begins_ok(x):
    if not role_of(dist.get_rank()).startswith("x"):
        dist.all_reduce(x)


def text_bad(x):
    if RANK_ENV in ("0", "1"):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def largest_bad(x):
    if dist.get_rank() == max(range(dist.get_world_size())):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


KEPT = {}


def kept_ok(x):
    key = dist.get_rank()
    if key not in KEPT:
        KEPT[key] = dist.get_world_size()
    dist.all_reduce(x)


def leaders_of(n):
    return [r for r in range(n) if r % 2 == 0]


def leaders_bad(x):
    if dist.get_rank() in leaders_of(dist.get_world_size()):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def pair_bad(x):
    rank = dist.get_rank()
    if (rank % 2, rank // 2) == (1, 0):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def pair_ok(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if (rank, n) != (n, rank):
        dist.all_reduce(x)


def spread_bad(x):
    if dist.get_rank() in {*range(2)}:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def beyond_any_job_ok(x):
    if dist.get_rank() in range(100000):
        dist.all_reduce(x)


def equal_shares_ok(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    items = list(range(4 * n))
    for item in items[rank::n]:
        dist.all_reduce(x)
    for turn in range(rank, 16 * n, n):
        dist.all_reduce(x)


def unequal_shares_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    for turn in range(rank, 16 * n + 1, n):  # expect: [rank-dependent-loop]
        dist.all_reduce(x)


def shares(total, n):
    return [total // n + (1 if r < total % n else 0) for r in range(n)]
