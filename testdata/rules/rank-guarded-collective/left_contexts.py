"""What a context manager does on its way out: it is told whether an exception brings it there."""
import contextlib

import torch.distributed as dist


class Watch:
    """Meets the others where all went well."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            return False
        dist.barrier()


class Alarm:
    """Meets the others where something went wrong."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            dist.barrier()


@contextlib.contextmanager
def aligned():
    yield
    dist.barrier()


@contextlib.contextmanager
def aligned_anyway():
    try:
        yield
    finally:
        dist.barrier()


def watched_by_one_bad(step):
    if dist.get_rank() == 0:
        with Watch():  # expect: [rank-guarded-collective] "`barrier`"
            step()


def one_ends_without_the_others_ok(step):
    with Watch():
        step()
        if dist.get_rank() == 3:
            raise RuntimeError("nobody waits for me")


def alarm_of_one_that_goes_well_ok(step):
    if dist.get_rank() == 0:
        with Alarm():
            step()


def alarm_of_one_bad(step):
    if dist.get_rank() == 0:
        with contextlib.suppress(RuntimeError):
            with Alarm():  # expect: [rank-guarded-collective] "`barrier`"
                step()
                raise RuntimeError("the others go on")


def one_leaves_before_they_meet_ok(step):
    with aligned():  # silent: [checks-input]
        step()
        if dist.get_rank() == 3:
            raise RuntimeError("nobody waits for me")


def one_meets_on_its_way_out_bad(step):
    try:
        if dist.get_rank() == 3:
            with aligned_anyway():  # expect: [rank-guarded-collective] "`barrier`"
                raise RuntimeError("alone")
    except RuntimeError:
        step()
