"""Ray Train: every worker reports as often as the others, for a report waits for all of them."""
import ray.train
import torch.distributed as dist
from ray.train.collective import barrier


def report_of_one_bad(metrics):
    if ray.train.get_context().get_world_rank() == 0:
        ray.train.report(metrics)  # expect: [rank-guarded-collective] "`report`"


def report_of_all_ok(metrics, save):
    if ray.train.get_context().get_world_rank() == 0:
        save(metrics)
    ray.train.report(metrics)


def meet_bad():
    if dist.get_rank() == 0:
        barrier()  # expect: [rank-guarded-collective] "`barrier`"
