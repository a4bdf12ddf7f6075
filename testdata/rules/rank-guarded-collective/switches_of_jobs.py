"""What a file computes once of its environment: under a launcher or not, and the rank that goes with it."""
import os

import torch.distributed as dist


def setup():
    launched = "LOCAL_RANK" in os.environ
    rank = int(os.environ["LOCAL_RANK"]) if launched else 0
    return launched, rank


LAUNCHED, RANK = setup()
BY_TORCHRUN = "RANK" in os.environ
NUMBER = int(os.environ["RANK"]) if BY_TORCHRUN else 0
WITH_EXTRAS = False
WITH_MORE, WITH_LESS = False, True
ALSO_EXTRAS = WITH_EXTRAS


def both_meet_ok(x):
    if RANK == 0:
        if LAUNCHED:
            dist.broadcast(x, 0)
    else:
        dist.broadcast(x, 0)


def both_meet_by_torchrun_ok(x):
    if NUMBER == 0:
        if BY_TORCHRUN:
            dist.broadcast(x, 0)
    else:
        dist.broadcast(x, 0)


def only_the_first_bad(x):
    if RANK == 0:
        if LAUNCHED:
            dist.broadcast(x, 0)  # expect: [rank-guarded-collective]


def by_a_setting_bad(x):
    if RANK == 0:
        if WITH_EXTRAS:
            dist.broadcast(x, 0)
    else:
        dist.broadcast(x, 0)  # expect: [rank-guarded-collective]


def by_settings_in_a_row_bad(x):
    if RANK == 0:
        if WITH_MORE:
            dist.broadcast(x, 0)
    else:
        dist.broadcast(x, 0)  # expect: [rank-guarded-collective]


def under_a_setting_of_another_name_bad(x):
    if ALSO_EXTRAS:
        if RANK == 0:
            dist.broadcast(x, 0)  # expect: [rank-guarded-collective]


def of_what_is_loaded_bad(x, path, steps):
    done = os.path.exists(path)
    for step in range(steps):
        dist.all_reduce(x)
        if (done or step % 10 == 0) and NUMBER == 0:
            dist.barrier()  # expect: [rank-guarded-collective]
