"""Behind the end of the default group nobody is left to wait for."""
import torch.distributed as dist
from torch.distributed.tensor import DTensor
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


def gathered(results):
    parts = [None] * dist.get_world_size()
    dist.all_gather_object(parts, results)
    return parts


def gathers_before_the_end_bad(results):
    if dist.get_rank() == 0:
        print(gathered(results))  # expect: [rank-guarded-collective] "`all_gather_object` on `world` is issued by rank 0"
    dist.destroy_process_group()


def gathers_before_the_end_ok(results):
    parts = gathered(results)
    if dist.get_rank() == 0:
        print(parts)
    dist.destroy_process_group()


def whole(model):
    return {name: p.full_tensor() if isinstance(p, DTensor) else p for name, p in model.named_parameters()}


def compares_before_the_end_ok(model, plain_model):
    state = whole(model)
    if dist.get_rank() == 0:
        assert state.keys() == whole(plain_model).keys()  # silent: [looks-at-results]
    dist.destroy_process_group()
