"""A method that a derived class replaces, and what it calls on itself."""
import torch.distributed as dist


class Plain:
    def save(self, path):
        return self.collect()

    def store(self, path):
        return self.gathered()

    def collect(self):
        return {}

    def gathered(self):
        return {}


class ByOne(Plain):
    def save(self, path):
        if dist.get_rank() == 0:
            super().save(path)

    def store(self, path):
        if dist.get_rank() == 0:
            super().store(path)  # expect: [rank-guarded-collective] "`barrier`"


class Sharded(ByOne):
    # Whoever is a Sharded never comes to the two above, so that its own `collect` is not what they call.
    def save(self, path):
        return self.collect()

    def store(self, path):
        print(path)
        super().store(path)

    def collect(self):
        dist.barrier()
        return {}

    def gathered(self):
        dist.barrier()
        return {}
