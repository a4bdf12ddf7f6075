"""Who evaluates a wrapped model that is told not to send its buffers."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, model, settings):
        self.model = DistributedDataParallel(model, broadcast_buffers=settings.broadcast_buffers)

    def first_evaluates_ok(self, batches):
        if dist.get_rank() == 0:
            for batch in batches:
                self.model(batch)  # silent: [keeps-buffers]
        dist.barrier()


def train(model, loader, settings):
    trainer = Trainer(model, settings)
    for batch in loader:
        trainer.model(batch).backward()
        trainer.first_evaluates_ok(loader)
