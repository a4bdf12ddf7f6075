"""What fails between the two halves of a context manager, and what rank 0 does by itself before all meet."""
import contextlib

import torch
import torch.distributed as dist


def by_the_first_bad(state, path):
    try:
        if dist.get_rank() == 0:
            torch.save(state, path)
        dist.barrier()
    except OSError as error:  # expect: [exception-skips-collective] "`barrier`"
        print("could not save", error)


def told_to_all_ok(state, path):
    saved = torch.ones(1)
    try:
        if dist.get_rank() == 0:
            torch.save(state, path)
    except OSError as error:
        print("could not save", error)
        saved.zero_()
    dist.all_reduce(saved)


@contextlib.contextmanager
def between_barriers():
    dist.barrier()
    yield
    dist.barrier()


def in_between_bad(state, path):
    try:
        with between_barriers():
            torch.save(state, path + str(dist.get_rank()))
    except OSError as error:  # expect: [exception-skips-collective] "`barrier`"
        print("could not save", error)


def first_in_between_bad(state, path):
    try:
        with between_barriers():
            if dist.get_rank() == 0:
                torch.save(state, path)
    except OSError as error:  # expect: [exception-skips-collective]
        print("could not save", error)


@contextlib.contextmanager
def ending_in_a_barrier():
    dist.barrier()
    try:
        yield
    finally:
        dist.barrier()


def ended_all_the_same_ok(state, path):
    try:
        with ending_in_a_barrier():
            torch.save(state, path + str(dist.get_rank()))
    except OSError as error:
        print("could not save", error)


class Meeting:
    def __enter__(self):
        dist.barrier()
        return self

    def __exit__(self, *_):
        dist.barrier()


def left_all_the_same_ok(state, path):
    try:
        with Meeting():
            torch.save(state, path + str(dist.get_rank()))
    except OSError as error:
        print("could not save", error)


def tell(error):
    print("could not save", error)
    raise RuntimeError("stopped") from error


def raised_by_a_function_ok(state, path):
    try:
        if dist.get_rank() == 0:
            torch.save(state, path)
        dist.barrier()
    except OSError as error:
        tell(error)
