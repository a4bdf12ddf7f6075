"""States of sharded models: who asks for them, and who writes them."""
import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.optim import ZeroRedundancyOptimizer


class Trainer:
    def __init__(self, module, engine, config):
        self.model = FSDP(module, device_id=torch.cuda.current_device())
        self.engine = engine
        self.config = config

    def rank0_only_drops_the_result_only_bad(self, path):
        if dist.get_rank() == 0:
            full = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
            with FSDP.state_dict_type(self.model, StateDictType.FULL_STATE_DICT, full):
                torch.save(self.model.state_dict(), path)  # expect: [rank-guarded-state-dict] "`state_dict`"

    def engine_bad(self, path):
        if dist.get_rank() == 0:
            self.engine.save_checkpoint(path)  # expect: [rank-guarded-state-dict] "`save_checkpoint`"

    def optimizer_bad(self, optimizer: torch.optim.Optimizer):
        if dist.get_rank() == 0:
            return FSDP.full_optim_state_dict(self.model, optimizer)  # expect: [rank-guarded-state-dict] "`full_optim_state_dict`"

    def through_a_helper_bad(self, path):
        if dist.get_rank() == 0:
            write(self.model, path)  # expect: [rank-guarded-state-dict] "`get_model_state_dict`"

    def gathered_by_all_ok(self, path):
        full = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
        with FSDP.state_dict_type(self.model, StateDictType.FULL_STATE_DICT, full):
            state = self.model.state_dict()
        if dist.get_rank() == 0:
            torch.save(state, path)

    def configured_ok(self, path):
        if self.config.save_weights:
            torch.save(self.model.state_dict(), f"{path}/{dist.get_rank()}")

    def consolidated_by_all_ok(self, optimizer: ZeroRedundancyOptimizer, path):
        optimizer.consolidate_state_dict(to=0)
        if dist.get_rank() == 0:
            torch.save(optimizer.state_dict(), path)


def write(model, path):
    state = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    torch.save(state, path)


def consolidate_bad(optimizer: ZeroRedundancyOptimizer, path):
    if dist.get_rank() == 0:
        optimizer.consolidate_state_dict(to=0)  # expect: [rank-guarded-state-dict] "`consolidate_state_dict`"
        torch.save(optimizer.state_dict(), path)


def accelerated_bad(accelerator: Accelerator, model, path):
    if accelerator.is_main_process:
        torch.save(accelerator.get_state_dict(model), path)  # expect: [rank-guarded-state-dict] "if the model is sharded"


def plain_module_ok(module: torch.nn.Linear, path):
    if dist.get_rank() == 0:
        torch.save(module.state_dict(), path)


def data_parallel_ok(module, path):
    model = torch.nn.parallel.DistributedDataParallel(module)
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)


def save_what_is_handed_bad(model, path):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: [rank-guarded-state-dict] "`state_dict`"


def save_what_all_gather_ok(model, path):
    state = model.state_dict()
    if dist.get_rank() == 0:
        torch.save(state, path)


def hand_over(module, path):
    sharded = FSDP(module)
    save_what_is_handed_bad(sharded, path)
    save_what_all_gather_ok(sharded, path)
