"""Lightning, DeepSpeed and transformers: guards that do not name the rank."""
import deepspeed
import torch.distributed as dist
from lightning.pytorch.utilities import rank_zero_only
from transformers import TrainerCallback


@rank_zero_only
def publish(metrics):
    dist.all_reduce(metrics)  # expect: [rank-guarded-collective] "`all_reduce`"
    print(metrics)


@rank_zero_only
def show_ok(metrics):
    print(metrics)


class Module:
    def __init__(self, trainer):
        self.trainer = trainer

    @rank_zero_only
    def decorated_method_bad(self, metrics):
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"

    def global_zero_bad(self, metrics):
        if self.trainer.is_global_zero:
            dist.all_reduce(metrics)  # expect: [rank-guarded-collective] "`all_reduce`"

    def reduced_before_ok(self, metrics):
        dist.all_reduce(metrics)
        if self.trainer.is_global_zero:
            show_ok(metrics)


class GatherOnLog(TrainerCallback):
    def on_log_bad(self, args, state, control, **kwargs):
        if state.is_world_process_zero:
            counts = [None] * dist.get_world_size()
            dist.all_gather_object(counts, state.global_step)  # expect: [rank-guarded-collective] "`all_gather_object`"

    def on_log_ok(self, args, state, control, **kwargs):
        counts = [None] * dist.get_world_size()
        dist.all_gather_object(counts, state.global_step)
        if state.is_world_process_zero:
            print(counts)


def deepspeed_rank_bad(x):
    if deepspeed.comm.get_rank() == 0:
        deepspeed.comm.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def deepspeed_mixed_bad(x):
    from deepspeed import comm

    if comm.get_rank() == 0:
        comm.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def deepspeed_all_ranks_ok(x):
    deepspeed.comm.all_reduce(x)
    if deepspeed.comm.get_rank() == 0:
        print(x)


class GatherInCallback:
    def on_validation_end_bad(self, trainer, pl_module):
        if trainer.is_global_zero:
            print(pl_module.all_gather(pl_module.loss))  # expect: [rank-guarded-collective] "`all_gather`"

    @rank_zero_only
    def on_fit_end_bad(self, trainer, pl_module):
        pl_module.log("loss", pl_module.loss, sync_dist=True)  # expect: [rank-guarded-collective] "`all_reduce`"

    def on_validation_end_ok(self, trainer, pl_module):
        losses = pl_module.all_gather(pl_module.loss)
        if trainer.is_global_zero:
            pl_module.log("loss", losses.mean(), rank_zero_only=True)

    def on_validation_epoch_end_ok(self, trainer, pl_module):
        # Lightning reduces nothing that is logged by rank 0 only.
        if trainer.is_global_zero:
            pl_module.log("loss", pl_module.loss, sync_dist=True, rank_zero_only=True)


def write_out(model, source):
    if source != "memory":
        dist.barrier()
    print(model)


@rank_zero_only
def write_from_memory_ok(model):
    write_out(model, "memory")


@rank_zero_only
def write_from_file_bad(model):
    write_out(model, "file")  # expect: [rank-guarded-collective] "`barrier`"
