"""Handles in collections that objects keep, in tuples, and in the results of functions."""
import torch.distributed as dist


class Reducer:
    """Handles lie in a collection until they are taken out."""

    def __init__(self):
        self.pending = []
        self.waiting = []
        self.by_name = {}
        self.by_step = {}

    def start_bad(self, x):
        work = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work] "never looked at"
        self.pending.append(work)

    def finish(self):
        while self.pending:
            self.pending.pop()

    def start_ok(self, x):
        work = dist.all_reduce(x, async_op=True)
        self.waiting.append(work)

    def finish_all(self):
        while self.waiting:
            work = self.waiting.pop()
            work.wait()

    def start_named_bad(self, name, x):
        self.by_name[name] = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work] "never looked at"

    def finish_named(self):
        for name, _ in self.by_name.items():
            print(len(self.by_name))
        self.by_name.clear()

    def start_step_ok(self, step, x):
        self.by_step[step] = dist.all_reduce(x, async_op=True)

    def finish_step(self, step):
        self.by_step[step].wait()


class Inbox:
    """A queue of handles with what they are for, as `receive` and `take` agree on it."""

    def __init__(self, source):
        self.source = source
        self.tasks = []
        self.kept = []

    def start(self, x):
        return dist.irecv(x, self.source)

    def receive_bad(self, x, name):
        self.tasks.append((self.start(x), name, 0))  # expect: [unwaited-work] "`recv`"

    def take(self, name):
        task = self.tasks.pop(0)
        assert task[1] == name and task[2] == 0

    def receive_ok(self, x, name):
        self.kept.append((self.start(x), name, 0))

    def take_kept(self, name):
        task = self.kept.pop(0)
        task[0].wait()
        assert task[1] == name


class Outbox(Inbox):
    """Waits for what its base has kept."""

    def start_ok(self, x):
        self.sent = dist.isend(x, self.source)

    def start_next_bad(self, x):
        self.requests = dist.batch_isend_irecv(x)  # expect: [unwaited-work]

    def forget(self):
        for request in self.requests:
            pass
        self.requests = None


class Flushing(Outbox):
    def flush(self):
        self.sent.wait()


class Other:
    """An attribute of the same name, of an object that is none of those."""

    def finish(self):
        for request in self.requests:
            request.wait()


def in_two_arms_bad(tensors, sends):
    if sends:
        works = []
        for tensor in tensors:
            works.append(dist.broadcast(tensor, src=0, async_op=True))
        for work in works:
            work.wait()
    else:
        works = []
        for tensor in tensors:
            works.append(dist.broadcast(tensor, src=0, async_op=True))  # expect: [unwaited-work] "never looked at"
        for work in works:
            pass
    return tensors


def begun_anew_bad(x, y):
    works = [dist.all_reduce(x, async_op=True)]  # expect: [unwaited-work]
    works = [dist.all_reduce(y, async_op=True)]
    for work in works:
        work.wait()


def known_by_another_name_ok(x):
    works = []
    started = works
    works.append(dist.all_reduce(x, async_op=True))
    for work in started:
        work.wait()


def grown_in_place_ok(x):
    works = []
    started = works
    works += [dist.all_reduce(x, async_op=True)]
    for work in started:
        work.wait()


def of_somebody_else_ok(owner, x):
    works = owner.works_of(x)
    works.append(dist.all_reduce(x, async_op=True))


def start_sum(x):
    return dist.all_reduce(x, async_op=True)


def start_with_shape(x):
    work = dist.all_reduce(x, async_op=True)
    return x.shape, work


def returned_bad(x):
    work = start_sum(x)  # expect: [unwaited-work] "never looked at"
    return x


def returned_ok(x):
    work = start_sum(x)
    work.wait()
    return x


def returned_in_a_tuple_bad(x):
    shape, work = start_with_shape(x)  # expect: [unwaited-work] "never looked at"
    return shape


def returned_in_a_tuple_ok(x):
    shape, work = start_with_shape(x)
    work.wait()
    return shape


def put_together_ok(xs):
    works = tuple(start_sum(x) for x in xs)
    for work in list(works):
        work.wait()


def put_together_bad(xs):
    works = list([start_sum(x) for x in xs])  # expect: [unwaited-work]
    for work in works:
        print(xs)


def chosen_ok(x, started):
    work = start_sum(x) if started else None
    pending = work if work is not None else None
    pending.wait()


def start_if_told(x, async_op=False):
    if async_op:
        return dist.all_reduce(x, async_op=True)
    dist.all_reduce(x)


def not_told_ok(x):
    start_if_told(x)
    return x


def told_bad(x):
    work = start_if_told(x, async_op=True)  # expect: [unwaited-work] "never looked at"
    return x
