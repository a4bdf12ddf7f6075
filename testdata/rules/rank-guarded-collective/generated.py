"""A sharded model that one rank generates with: every token gathers its parameters."""
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Trainer:
    def __init__(self, model):
        self.model = FSDP(model)

    def sample_bad(self, prompt):
        if dist.get_rank() == 0:
            return self.model.generate(prompt)  # expect: [rank-guarded-collective] "`all_gather`"
        return None

    def sample_ok(self, prompt):
        tokens = self.model.generate(prompt)
        return tokens if dist.get_rank() == 0 else None


def plain_ok(model, prompt):
    if dist.get_rank() == 0:
        return model.generate(prompt)
    return None
