# A script that runs its functions itself: what its own code has given a name by then counts, whatever the name is.
import os

import torch.distributed as dist

ME = int(os.environ["RANK"])
IS_LEAD = ME == 0
LOCAL_RANK = int(os.environ["RANK"])
given_later = None


def by_number_bad(x):
    if ME == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 1 and not by the other ranks"


def by_flag_bad(x):
    if IS_LEAD:
        dist.barrier()  # expect: [rank-guarded-collective] "issued by rank 0 and not by the other ranks"
    dist.all_reduce(x)


def named_otherwise_bad(x):
    if LOCAL_RANK == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "issued by rank 0 and not by the other ranks"
    dist.all_reduce(x)


def given_later_ok(x):
    if given_later:
        dist.barrier()
    dist.all_reduce(x)


def main(x, mode):
    if mode == "number":
        by_number_bad(x)
    elif mode == "flag":
        by_flag_bad(x)
    elif mode == "otherwise":
        named_otherwise_bad(x)
    else:
        given_later_ok(x)


if __name__ == "__main__":
    main([], os.environ["MODE"])
    given_later = ME == 0
