"""`with suppress(...)` is a `try` whose handler does nothing."""
import contextlib
import os
from contextlib import suppress

import torch.distributed as dist


def suppressed_with_the_barrier_bad(path):
    with contextlib.suppress(FileNotFoundError):  # expect: [exception-skips-collective] "`barrier`"
        os.unlink(path)
        dist.barrier()


def suppressed_by_one_of_several_bad(path, done):
    with open(done) as log, suppress(ValueError, OSError):  # expect: [exception-skips-collective] "`barrier`"
        os.rename(path, path + ".old")
        dist.barrier()
        log.read()


def suppressed_alone_ok(path):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    dist.barrier()


def suppressed_elsewhere_ok(path):
    with suppress(KeyError):
        os.unlink(path)
        dist.barrier()


def nothing_suppressed_ok(path):
    with suppress():
        os.unlink(path)
        dist.barrier()
