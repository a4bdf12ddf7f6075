"""Behind the end of the default group nobody is left to wait for."""
import torch.distributed as dist
import lightning.pytorch as pl


def test_alone_ok(trainer, model):
    trainer.fit(model)
    dist.destroy_process_group()
    if trainer.is_global_zero:
        alone = pl.Trainer(devices=1)
        alone.test(model)


def gone_ok(x):
    if dist.is_initialized():
        dist.destroy_process_group()
    if dist.get_rank() == 0:
        dist.all_reduce(x)


def another_group_bad(x, group):
    dist.destroy_process_group(group)
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
