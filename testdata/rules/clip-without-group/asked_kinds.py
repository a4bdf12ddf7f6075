"""Code that asks of what kind the model is, and has a way for each."""
import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import FSDPModule


class Engine:
    def __init__(self, net):
        self.module = net
        self.build()

    def build(self):
        self.module = FSDP(self.module)

    def step_ok(self):
        if isinstance(self.module, FSDP):
            return self.module.clip_grad_norm_(1.0)
        elif isinstance(self.module, FSDPModule):
            return None
        return torch.nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)  # silent: [asks-kind]

    def step_bad(self):
        if isinstance(self.module, dict):
            return None
        return torch.nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)  # expect: [clip-without-group]
