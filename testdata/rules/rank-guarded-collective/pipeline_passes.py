"""DeepSpeed's engines: a pipeline's schedule reduces the gradients, and its passes do not."""
import torch.distributed as dist
from deepspeed.runtime.engine import DeepSpeedEngine
from deepspeed.runtime.pipe.engine import PipelineEngine


class Stages(PipelineEngine):
    def last_stage_goes_back_ok(self, loss):
        if self.is_last_stage():
            super().backward(loss)


class Whole(DeepSpeedEngine):
    def one_goes_back_bad(self, loss):
        if dist.get_rank() == 0:
            super().backward(loss)  # expect: [rank-guarded-collective] "`gradient_reduction`"
