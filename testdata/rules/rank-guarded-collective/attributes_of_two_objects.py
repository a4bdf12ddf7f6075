# Attributes of one name on two objects are two places, and so are an attribute and a variable of its name: where a `break`
# leaves the loop that changes them, their values are unknown, and each is a different unknown.
import torch.distributed as dist


class Reader:
    def __init__(self, source):
        self.source = source
        self.n = 0

    def catch_up_bad(self, other, batches):
        for batch in batches:
            self.n = self.source.count(batch)
            other.n = other.source.count(batch)
            if batch.is_last:
                break
        if self.n != other.n:
            if dist.get_rank() == 0:
                dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"

    def catch_up_ok(self, other, batches):
        for batch in batches:
            self.n = self.source.count(batch)
            other.n = self.n
            if batch.is_last:
                break
        if self.n != other.n:
            dist.barrier()

    def start_over_bad(self, other, batches):
        self.n = 0
        other.n = 0
        for batch in batches:
            self.n = self.source.count(batch)
            other.n = other.source.count(batch)
        if self.n != other.n:
            if dist.get_rank() == 0:
                dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def count_bad(reader, source, batches):
    n = 0
    for batch in batches:
        n = source.count(batch)
        reader.n = source.total(batch)
        if batch.is_last:
            break
    if reader.n != n:
        if dist.get_rank() == 0:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def both_ways_in_bad(left, right, fresh):
    while fresh.more():
        left.size = fresh.left()
        right.size = fresh.right()
        if fresh.is_done():
            break
    if left.size == right.size:
        return
    if dist.get_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def reduce_bad(left, right, x, items):
    left.group = None
    right.group = None
    for item in items:
        left.group = left.make(item)
        right.group = right.make(item)
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=left.group)  # expect: [rank-guarded-collective] "`all_reduce`"
    else:
        dist.all_reduce(x, group=right.group)


def reduce_ok(left, x, items):
    left.group = None
    for item in items:
        left.group = left.make(item)
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=left.group)
    else:
        dist.all_reduce(x, group=left.group)
