"""Time-outs that a function takes and does not hand on."""
from datetime import timedelta

import torch.distributed as dist


def start_bad(backend, timeout=timedelta(hours=1)):
    dist.init_process_group(backend)  # expect: [timeout-not-passed-on] "the `timeout` that this function takes"


def start_ok(backend, timeout=timedelta(hours=1)):
    dist.init_process_group(backend, timeout=timeout)


class Groups:
    def __init__(self, backend, nccl_timeout=600):
        self.backend = backend
        start_ok(backend)  # expect: [timeout-not-passed-on] "`start_ok` is not told the `nccl_timeout`"


class ToldGroups:
    def __init__(self, backend, nccl_timeout=600):
        start_ok(backend, timedelta(seconds=nccl_timeout))


class KeptTimeout:
    def __init__(self, backend, timeout):
        self.timeout = timeout
        start_ok(backend, self.timeout)


class Replaced(ToldGroups):
    # A method may have to take what it does not need.
    def wait(self, timeout):
        start_ok(self.backend)


def unrelated_ok(path, timeout):
    # Nothing here could be told one.
    return open(path)


def in_a_closure_ok(backend, timeout):
    def start():
        dist.init_process_group(backend, timeout=timeout)

    return start


def open_ok(backend, timeout, **options):
    dist.init_process_group(backend, **options)


def picture_of(url, timeout=30):
    return fetch(url, timeout)


def of_a_page_ok(url, timeout=30):
    # What is called does not communicate: the time-out is for no group.
    return picture_of(url)
