"""Runs at services that record experiments."""
import mlflow
import torch.distributed as dist
import wandb


def by_all_bad(settings):
    dist.init_process_group("nccl")
    wandb.init(project="x", config=settings)  # expect: [run-started-by-all] "`wandb.init`"


def set_up(settings):
    mlflow.start_run(run_name=settings.name)  # expect: [run-started-by-all] "`mlflow.start_run`"


def by_a_function(settings):
    set_up(settings)
    dist.barrier()


def before_the_job_bad(settings, train):
    wandb.init(config=settings)  # expect: [run-started-by-all]
    dist.init_process_group("nccl")
    train(settings)


def by_one_ok(settings):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        wandb.init(project="x", config=settings)


def in_a_group_ok(settings):
    dist.init_process_group("nccl")
    wandb.init(project="x", group=settings.name)


def off_on_the_others_ok(settings):
    dist.init_process_group("nccl")
    wandb.init(project="x", mode="online" if dist.get_rank() == 0 else "disabled")


def of_a_rank_ok(settings):
    dist.init_process_group("nccl")
    wandb.init(project="x", name=f"{settings.name}-{dist.get_rank()}")


def tracker(settings, is_main):
    if is_main:
        wandb.init(project="x", config=settings)


def told_by_the_caller_ok(settings):
    dist.init_process_group("nccl")
    tracker(settings, dist.get_rank() == 0)


def alone_ok(settings):
    wandb.init(project="x", config=settings)
