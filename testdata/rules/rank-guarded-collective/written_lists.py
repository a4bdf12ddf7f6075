"""Loops over lists that are written out."""
import torch.distributed as dist


def one_round_ok(metric):
    for times in [0]:
        dist.all_reduce(metric)
        if dist.get_rank() == 0:
            if times > 0:
                continue
            print(metric)
        dist.barrier()


def one_name_ok(metric):
    for name in ("accuracy",):
        if dist.get_rank() == 0 and name == "loss":
            dist.all_reduce(metric)


def one_pair_ok(metric):
    for number, name in enumerate(["accuracy"]):
        if dist.get_rank() == 0 and name != "accuracy":
            dist.all_reduce(metric)


def two_rounds_bad(metric):
    for times in [0, 1]:
        dist.all_reduce(metric)  # expect: [rank-guarded-collective] "rank 0"
        if dist.get_rank() == 0:
            if times > 0:
                continue
            print(metric)
        dist.barrier()


def as_often_as_written_ok(metric):
    if dist.get_rank() == 0:
        for _ in ("a", "b"):
            dist.all_reduce(metric)
    else:
        dist.all_reduce(metric)
        dist.all_reduce(metric)


def once_more_bad(metric):
    if dist.get_rank() == 0:
        for _ in ("a", "b", "c"):
            dist.all_reduce(metric)  # expect: [divergent-collective-order]
    else:
        dist.all_reduce(metric)
        dist.all_reduce(metric)
