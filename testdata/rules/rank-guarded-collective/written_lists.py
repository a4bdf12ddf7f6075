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


def two_rounds_bad(metric):
    for times in [0, 1]:
        dist.all_reduce(metric)  # expect: [rank-guarded-collective] "rank 0"
        if dist.get_rank() == 0:
            if times > 0:
                continue
            print(metric)
        dist.barrier()


METRICS = ["loss"]


def register(name):
    METRICS.append(name)


def of_a_list_that_grows_bad(metric):
    for name in METRICS:
        if dist.get_rank() == 0 and name != "loss":
            dist.all_reduce(metric)  # expect: [rank-guarded-collective] "rank 0"
