"""A state that is gathered where the model is sharded, in a program that shards it."""
import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


class Trainer:
    def __init__(self, model):
        self.accelerator = Accelerator(fsdp_plugin=FullyShardedDataParallelPlugin())
        self.model = self.accelerator.prepare(model)

    def save_bad(self, path):
        if not self.accelerator.is_main_process:
            return  # expect: [early-exit-before-collective] "on to `all_gather` on `world` if the model is sharded"
        torch.save(self.accelerator.get_state_dict(self.model), path)

    def save_ok(self, path):
        state = self.accelerator.get_state_dict(self.model)
        if not self.accelerator.is_main_process:
            return
        torch.save(state, path)
