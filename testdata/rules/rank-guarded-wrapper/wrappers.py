"""Wrappers that some ranks build and others do not."""
import deepspeed
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP


def teacher_bad(teacher):
    if dist.get_rank() == 0:
        teacher = DDP(teacher)  # expect: [rank-guarded-wrapper] "`DistributedDataParallel`"
    return teacher


def synchronised_bad(module):
    if dist.get_rank() == 0:
        return FSDP(module, device_id=torch.cuda.current_device(), sync_module_states=True)  # expect: [rank-guarded-wrapper] "`FullyShardedDataParallel`"
    return module


def engine_bad(module, config):
    if dist.get_rank() == 0:
        module, *_ = deepspeed.initialize(model=module, config=config)  # expect: [rank-guarded-wrapper] "`initialize`"
    return module


def sharded_bad(module):
    if dist.get_rank() == 0:
        fully_shard(module)  # expect: [rank-guarded-wrapper] "`fully_shard`"
    return module


def chosen_by_configuration_ok(module, config):
    return DDP(module) if config.data_parallel else module


def on_every_rank_ok(module):
    if dist.get_rank() == 0:
        print(module)
    return FSDP(module, device_id=torch.cuda.current_device(), sync_module_states=True)


def pipeline_stage_ok(module, mesh, group):
    if mesh.get_local_rank("pp") == 0:
        return DDP(module, process_group=mesh.get_group("dp"))
    return DDP(module, process_group=mesh.get_group("dp"))


def among_the_first_ok(model, other):
    few = dist.new_group(ranks=list(range(3)))
    if dist.get_rank() < 3:
        model = DDP(model, process_group=few)
    if dist.get_rank() >= 3:
        return other
    return DDP(other, process_group=few)


def as_many_as_said_ok(model, count):
    few = dist.new_group(ranks=list(range(count)))
    if dist.get_rank() < count:
        model = DDP(model, process_group=few)
    return model


def one_too_few_bad(model):
    few = dist.new_group(ranks=list(range(3)))
    if dist.get_rank() < 2:
        model = DDP(model, process_group=few)  # expect: [rank-guarded-wrapper] "`few`"
    return model


class Runner:
    @property
    def model(self):
        if self._wrapped is None:
            self._wrapped = DDP(self._model)
        return self._wrapped

    def save_ok(self, path):
        if dist.get_rank() == 0:
            torch.save(self.model.module, path)
        dist.barrier()


def loader_alone_ok(accelerator, test_loader):
    if accelerator.is_main_process:
        test_loader = accelerator.prepare(test_loader)
    return test_loader


def loader_and_model_bad(accelerator, model, test_loader):
    if accelerator.is_main_process:
        model, test_loader = accelerator.prepare(model, test_loader)  # expect: [rank-guarded-wrapper] "`prepare`"
    return model, test_loader
