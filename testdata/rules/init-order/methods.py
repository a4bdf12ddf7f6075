"""A process group that another method makes, again or not."""
import torch.distributed as dist


class Engine:
    def __init__(self, rank):
        self.rank = rank

    def initialize(self, size):
        dist.init_process_group("gloo", rank=self.rank, world_size=size)

    def prepare(self, size):
        self.size = size
        self.initialize(size)

    def forget(self, size):
        self.size = size

    def reconfigure_ok(self, size):
        dist.destroy_process_group()
        self.prepare(size)
        dist.barrier()

    def shrink_bad(self, size):
        dist.destroy_process_group()
        self.forget(size)
        dist.barrier()  # expect: [init-order] "`barrier` runs after the default process group is destroyed"
