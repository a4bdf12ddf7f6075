"""What the environment holds is a text: "0" is true, and counts as the number where it is compared."""
import os
from pathlib import Path

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


def or_else_bad(x):
    rank = int(os.environ.get("RANK") or 0)
    if rank == 0:
        dist.broadcast(x, 0)  # expect: [rank-guarded-collective] "rank 0"


def converted_ok():
    if bool(os.environ.get("RANK")):
        dist.barrier()
    if str(os.environ.get("RANK")):
        dist.barrier()


def compared_with_a_number_ok():
    if os.environ["RANK"] == 0:
        dist.barrier()


def of_another_launcher_bad(x):
    if "SLURM_PROCID" in os.environ:
        x += 1
    elif dist.get_rank() == 0:
        dist.broadcast(x, 0)  # expect: [rank-guarded-collective]


def fixed_beginning_ok():
    device = "cuda:{}".format(dist.get_rank())
    if device != "cpu":
        dist.barrier()
    if "cuda" in f"cuda:{dist.get_rank()}":
        dist.barrier()


def what_is_put_in_bad():
    if "rank {}".format(dist.get_rank()) == "rank 0":
        dist.barrier()  # expect: [rank-guarded-collective]


def a_path_is_true_ok(root):
    if Path(root, str(dist.get_rank())):
        dist.barrier()


def a_text_may_be_empty_bad(x, name):
    if not "{}".format(name):
        if dist.get_rank() == 0:
            dist.broadcast(x, 0)  # expect: [rank-guarded-collective]
