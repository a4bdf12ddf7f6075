"""Switches that the text turns by a name that it computes."""
import torch.distributed as dist


class Loaded:
    def __init__(self, values):
        self.together = False
        for key, value in values.items():
            setattr(self, key, value)

    def start(self):
        if self.together:
            dist.barrier()


def load_bad(loaded: Loaded):
    if dist.get_rank() == 0:
        loaded.start()  # expect: [rank-guarded-collective] "`barrier`"
