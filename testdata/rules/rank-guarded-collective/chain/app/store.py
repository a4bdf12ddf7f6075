from . import fences


class Store:
    def __init__(self, config):
        self.fence = fences.make(config)

    def commit(self, x):
        print(x)
        self.fence.wait()
