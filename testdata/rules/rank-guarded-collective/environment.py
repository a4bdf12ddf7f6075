# A rank that is read from the environment is text until it is converted.
import os

import torch
import torch.distributed as dist


def text_bad(x):
    if os.environ["RANK"] == "0":
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def text_with_default_bad(x):
    if os.environ.get("LOCAL_RANK", "0") != "0":
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def number_bad(x):
    if int(os.environ["RANK"]) == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def both_sides_ok(x):
    if os.environ["RANK"] == "0":
        dist.broadcast(x, 0)
    if os.environ["RANK"] != "0":
        dist.broadcast(x, 0)


def first_node_bad(x):
    if int(os.environ["NODE_RANK"]) == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "by ranks with node rank 0"


def rank_of_node_and_place_bad(x):
    rank = int(os.environ["NODE_RANK"]) * torch.cuda.device_count() + int(os.environ["LOCAL_RANK"])
    if rank == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "by rank 0 and not by the other ranks"
