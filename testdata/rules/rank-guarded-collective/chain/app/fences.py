from torch import distributed


class Fence:
    def __init__(self, config):
        self.config = config

    def wait(self):
        distributed.barrier()


def make(config):
    return Fence(config)
