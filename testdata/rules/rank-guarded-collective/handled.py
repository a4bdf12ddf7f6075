"""What a handler returns or leaves in a variable is one of the ways that the program can take."""
import os

import torch.distributed as dist


def is_missing(path):
    try:
        next(os.scandir(path))
        return False
    except (StopIteration, FileNotFoundError):
        return True


def prepare(path):
    if not is_missing(path):
        raise FileExistsError(path)
    dist.barrier()


def prepared_by_the_first_bad(path):
    if dist.get_rank() == 0:
        prepare(path)  # expect: [rank-guarded-collective] "`barrier`"
    print("prepared")


def prepared_by_all_ok(path):
    prepare(path)
    print("prepared")


def flag_from_the_handler_bad(path):
    if dist.get_rank() == 0:
        try:
            open(path).close()
            found = True
        except OSError:
            found = False
        if found:
            raise FileExistsError(path)
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def has_apex():
    try:
        import apex  # noqa: F401
        return True
    except ImportError:
        return False


def optional_package_ok(x):
    if has_apex():
        dist.all_reduce(x)
    else:
        dist.barrier()
