import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Strategy:
    def is_rank_0(self):
        return dist.get_rank() == 0

    def prepare(self, model):
        return FSDP(model)  # expect-note: "models are sharded here"

    def unwrap(self, model):
        return model

    def save_bad(self, model, path):
        model_to_save = self.unwrap(model)
        if self.is_rank_0():
            torch.save(model_to_save.state_dict(), path)  # expect: [rank-guarded-state-dict] "this class shards"
        dist.barrier()

    def save_ok(self, model, path):
        model_to_save = self.unwrap(model)
        state = model_to_save.state_dict()
        if self.is_rank_0():
            torch.save(state, path)
        dist.barrier()

    def save_what_is_whole_ok(self, model, path):
        if not isinstance(model, FSDP) and self.is_rank_0():
            torch.save(model.state_dict(), path)

    def save_optimizer_ok(self, scheduler, path):
        if self.is_rank_0():
            torch.save(scheduler.state_dict(), path)


class PlainStrategy:
    def save_ok(self, model, path):
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), path)


class UnwrappingStrategy:
    def is_rank_0(self):
        return dist.get_rank() == 0

    def prepare(self, model):
        return FSDP(model)

    def unwrap(self, model):
        if isinstance(model, FSDP):
            return model.module
        return model

    def save_bad(self, model, path):
        model_to_save = self.unwrap(model)
        if self.is_rank_0():
            torch.save(model_to_save.state_dict(), path)  # expect: [rank-guarded-state-dict] "this class shards"
        dist.barrier()

    def save_ok(self, model, path):
        model_to_save = self.unwrap(model)
        state = model_to_save.state_dict()
        if self.is_rank_0():
            torch.save(state, path)
        dist.barrier()
