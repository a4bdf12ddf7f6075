# An object that was made in sight is of the class that it was made of, whatever is called in a loop.
import torch.distributed as dist


class Buffer:
    def extend(self, items):
        self.last = items

    def save(self, path):
        print(path)


class ParallelBuffer(Buffer):
    def save(self, path):
        super().save(path)
        dist.barrier()


def saves_alone_ok(batches):
    buffer = Buffer()
    for batch in batches:
        buffer.extend(batch)
    if dist.get_rank() == 0:
        buffer.save("out")


def saves_together_bad(batches):
    buffer = ParallelBuffer()
    for batch in batches:
        buffer.extend(batch)
    if dist.get_rank() == 0:
        buffer.save("out")  # expect: [rank-guarded-collective] "`barrier`"
