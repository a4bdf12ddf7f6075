"""What one helper has the others wait in, and another one rank 0: only both together are in order."""
from contextlib import contextmanager

import torch.distributed as dist


def others_wait():
    if dist.get_rank() != 0:
        dist.barrier()


def first_waits():
    if dist.get_rank() == 0:
        dist.barrier()


def first_goes_first_ok(x):
    others_wait()
    print(x)
    first_waits()


def others_alone_bad():
    if dist.get_rank() != 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def forgets_the_second_half(x):
    others_alone_bad()
    print(x)


@contextmanager
def one_after_the_others():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


class Reader:
    def prepare(self, data):
        return data

    def read(self, data):
        if "answer" in data:
            with one_after_the_others():
                print(data)
        self.prepare(data)
        with one_after_the_others():
            print(data)


class Pictures(Reader):
    def prepare(self, data):
        with one_after_the_others():
            print(data)


class Films(Reader):
    def prepare(self, data):
        for film in data:
            with one_after_the_others():
                print(film)


def which_reader_is_open_fn(reader: Reader, data):
    reader.read(data)
