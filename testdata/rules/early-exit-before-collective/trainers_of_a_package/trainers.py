"""What asks for the kind of the run may be sharded by whoever launches it, if anything in the project runs it."""
import torch
from accelerate import Accelerator, DistributedType
from beartype import beartype


@beartype
class Used:
    def __init__(self, model):
        self.accelerator = Accelerator()
        self.model = self.accelerator.prepare(model)

    @property
    def is_distributed(self):
        return self.accelerator.distributed_type != DistributedType.NO

    def save(self, path):
        if not self.accelerator.is_main_process:
            return  # expect: [early-exit-before-collective] "if the model is sharded"
        torch.save(self.accelerator.get_state_dict(self.model), path)


@beartype
class Unused:
    def __init__(self, model):
        self.accelerator = Accelerator()
        self.model = self.accelerator.prepare(model)

    def save(self, path):
        if not self.accelerator.is_main_process:
            return  # silent: [not-sharded]
        torch.save(self.accelerator.get_state_dict(self.model), path)
