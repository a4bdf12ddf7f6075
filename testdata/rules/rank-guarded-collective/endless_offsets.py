# In an endless loop, ranks that are one collective apart stay that way: no call ever meets its counterpart.
import torch.distributed as dist


def sample(x):
    dist.all_reduce(x)


def save_bad(x):
    sample(x)
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "the other ranks"


def watch(x):
    while True:
        save_bad(x)


def answer(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)


def serve_ok(x):
    while True:
        answer(x)
        if dist.get_rank() != 0:
            dist.all_reduce(x)
