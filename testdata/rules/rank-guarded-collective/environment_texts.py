"""What the environment holds is a text: "0" is true, and counts as the number where it is compared."""
import os

import torch.distributed as dist


def is_set_on_each_rank_ok():
    if os.getenv("LOCAL_RANK") and os.getenv("WORLD_SIZE"):
        dist.barrier()


def leaves_where_it_is_missing_ok():
    if not os.environ.get("RANK"):
        return
    dist.barrier()


def compared_bad():
    if os.environ["RANK"] == "0":
        dist.barrier()  # expect: [rank-guarded-collective] "rank 0"


def as_a_number_bad():
    rank = int(os.environ.get("RANK", "0"))
    if not rank:
        dist.barrier()  # expect: [rank-guarded-collective] "rank 0"


def one_of_some_bad():
    if os.environ["RANK"] in ("0", "1"):
        dist.barrier()  # expect: [rank-guarded-collective]
