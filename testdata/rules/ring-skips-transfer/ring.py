import torch.distributed as dist


class Ring:
    def __init__(self, group):
        self.rank = dist.get_rank(group)
        self.world_size = dist.get_world_size(group)
        self.ops = []

    def commit(self):
        self.works = dist.batch_isend_irecv(self.ops)

    def wait(self):
        for work in self.works:
            work.wait()


def exchange_with_kernel_bad(attention, q, k, v, group):
    ring = Ring(group)
    for step in range(ring.world_size):
        if step <= ring.rank:  # expect-note: "ranks diverge here"
            ring.commit()  # expect: [ring-skips-transfer] "leave out the exchange"
            attention(q, k, v)
            ring.wait()


def left_by_continue_bad(attention, q, k, v, ops, group):
    rank = dist.get_rank(group)
    for step in range(dist.get_world_size(group)):
        if step > rank:
            continue
        attention(q, k, v)
        dist.batch_isend_irecv(ops)  # expect: [ring-skips-transfer] "leave out the exchange"


def kernel_only_ok(attention, q, k, v, group):
    ring = Ring(group)
    for step in range(ring.world_size):
        if step + 1 != ring.world_size:
            ring.commit()
        if step <= ring.rank:
            attention(q, k, v)
        if step + 1 != ring.world_size:
            ring.wait()


def on_both_sides_ok(attention, q, k, v, ops, group):
    rank = dist.get_rank(group)
    for step in range(dist.get_world_size(group)):
        if step <= rank:
            attention(q, k, v)
            dist.batch_isend_irecv(ops)
        else:
            dist.batch_isend_irecv(ops)


def chain_ok(ops, group):
    if dist.get_rank(group) > 0:
        dist.batch_isend_irecv(ops)
