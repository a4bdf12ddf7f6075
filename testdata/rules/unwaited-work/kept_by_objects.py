"""Objects that start messages in one method and wait for them in another."""
import torch
import torch.distributed as dist


class Ring:
    def __init__(self, group):
        self.group = group
        self.rank = dist.get_rank(group)
        self.operations = []
        self.requests = None

    def exchange(self, x, right, left):
        received = torch.empty_like(x)
        self.operations.append(dist.P2POp(dist.isend, x, right, self.group))
        self.operations.append(dist.P2POp(dist.irecv, received, left, self.group))
        return received

    def commit(self):
        assert self.requests is None
        self.requests = dist.batch_isend_irecv(self.operations)

    def wait(self):
        for request in self.requests:
            request.wait()
        self.requests = None

    def finish(self):
        self.wait()


def forgotten_bad(x, right, left, group):
    ring = Ring(group)
    y = ring.exchange(x, right, left)
    ring.commit()  # expect: [unwaited-work] "what `commit` starts is not waited for"
    return x + y * ring.rank


def waited_ok(x, right, left, group):
    ring = Ring(group)
    y = ring.exchange(x, right, left)
    ring.commit()
    ring.wait()
    return x + y


def waited_in_another_method_ok(x, right, left, group):
    ring = Ring(group)
    y = ring.exchange(x, right, left)
    ring.commit()
    ring.finish()
    return x + y


def handed_on_ok(x, right, left, group):
    ring = Ring(group)
    y = ring.exchange(x, right, left)
    ring.commit()
    return ring, y


def not_started_ok(x, right, left, group):
    ring = Ring(group)
    return ring.exchange(x, right, left)
