"""Handles that are put somewhere, and what is done with them there."""
import torch.distributed as dist


def collected_and_forgotten_bad(tensors):
    works = []
    for tensor in tensors:
        work = dist.all_reduce(tensor, async_op=True)  # expect: [unwaited-work] "never looked at"
        works.append(work)
    for work in works:
        pass
    works.clear()


def collected_and_waited_ok(tensors):
    works = []
    for tensor in tensors:
        work = dist.all_reduce(tensor, async_op=True)
        works.append(work)
    for work in works:
        work.wait()
    works.clear()


def only_counted_bad(tensors):
    works = [dist.all_reduce(tensor, async_op=True) for tensor in tensors]  # expect: [unwaited-work]
    print("started", len(works))


def only_asked_for_bad(x):
    work = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work]
    assert work is not None
    if work is None or not work:
        return None
    return x


def another_name_bad(x):
    work = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work]
    started = work
    return x


def another_name_ok(x):
    work = dist.all_reduce(x, async_op=True)
    started = work
    started.wait()
    return x


def told_by_the_caller_bad(x, async_op=False):
    work = dist.all_reduce(x, async_op=async_op)  # expect: [unwaited-work]
    if async_op:

        def wait():
            return x

        return wait
    return x


def told_by_the_caller_ok(x, async_op=False):
    work = dist.all_reduce(x, async_op=async_op)
    if async_op:

        def wait():
            work.wait()
            return x

        return wait
    return x


def dropped_as_the_caller_likes_ok(x, async_op=False):
    dist.all_reduce(x, async_op=async_op)


def received_bad(x, source):
    request = dist.irecv(x, source)  # expect: [unwaited-work] "`recv`"
    return x


def received_ok(x, source):
    request = dist.irecv(x, source)
    request.wait()
    return x


def exchanged_bad(operations):
    requests = dist.batch_isend_irecv(operations)  # expect: [unwaited-work]
    for request in requests:
        pass


def exchanged_ok(operations):
    for request in dist.batch_isend_irecv(operations):
        request.wait()


def paired_ok(xs, waiting):
    works = []
    for x in xs:
        works.append(dist.all_reduce(x, async_op=True))
    for x, work in zip(xs, works):
        waiting.append((x, work))


def numbered_bad(xs):
    works = []
    for x in xs:
        works.append(dist.all_reduce(x, async_op=True))  # expect: [unwaited-work]
    for number, _work in enumerate(works):
        print(number)


def handed_back_ok(operations):
    requests = dist.batch_isend_irecv(operations)
    return requests


class Reducer:
    def __init__(self):
        self.pending = None
        self.open_work = None
        self.open_works = []

    def start_bad(self, x):
        if self.pending is not None:
            self.pending = None
        self.pending = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work]

    def start_ok(self, x):
        self.open_work = dist.all_reduce(x, async_op=True)

    def start_more_ok(self, x):
        self.open_works.append(dist.all_reduce(x, async_op=True))

    def finish(self):
        if self.open_work is not None:
            self.open_work.wait()
        for work in self.open_works:
            work.wait()
