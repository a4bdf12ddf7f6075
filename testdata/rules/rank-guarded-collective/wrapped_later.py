# A model that is wrapped once, under a flag that says so from then on.
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Runner:
    def __init__(self, model):
        self.wrapped = False
        self.model = model

    def prepare(self):
        if not self.wrapped:
            self.model = DDP(self.model)
            self.wrapped = True

    def step_bad(self, batch):
        if self.wrapped:
            if dist.get_rank() == 0:
                self.model(batch)  # expect: [rank-guarded-collective]


def smallest_by_bad(x):
    if min(dist.get_rank(), 0, key=lambda v: -v) > 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]
