"""Two classes that derive from each other: that does not run, and another file may bring it about."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class First(Second):
    def __init__(self, net):
        self.model = DistributedDataParallel(net)

    def run_bad(self, x):
        if dist.get_rank() == 0:
            evaluate(self.model, x)  # expect: [rank-guarded-collective] "forward pass"


class Second(First):
    def start(self, x):
        if self.model:
            self.run_bad(x)


def evaluate(model, x):
    model.train()
    model(x)
