"""One rank first, the others behind a barrier: every rank passes the same number of barriers."""
import contextlib
import os

import torch.distributed as dist


@contextlib.contextmanager
def main_process_first():
    is_main = dist.get_rank() == 0
    if not is_main:
        dist.barrier()
    yield
    if is_main:
        dist.barrier()


@contextlib.contextmanager
def zero_first(local_rank):
    if local_rank not in [-1, 0]:
        dist.barrier()
    yield
    if local_rank == 0:
        dist.barrier()


@contextlib.contextmanager
def node_by_node():
    """Three classes of ranks: two barriers before, one on either side, two behind."""
    rank, local_rank = dist.get_rank(), int(os.environ.get("LOCAL_RANK", "0"))
    if rank != 0:
        dist.barrier()
    if local_rank != 0:
        dist.barrier()
    try:
        yield
    finally:
        if rank == 0:
            dist.barrier()
        if local_rank == 0:
            dist.barrier()


class FirstRank:
    def __init__(self):
        self.is_first = dist.get_rank() == 0

    def __enter__(self):
        if not self.is_first:
            dist.barrier()
        return self

    def __exit__(self, kind, value, traceback):
        if self.is_first:
            dist.barrier()


def prepare_data(download):
    with main_process_first():
        return download()


def prepare_data_on_each_node(download):
    with zero_first(int(os.environ["LOCAL_RANK"])):
        return download()


def prepare_data_in_three_classes(download):
    with node_by_node():
        return download()


def prepare_data_with_a_class(download):
    with FirstRank() as first:
        if first.is_first:
            download()


def download_first(download, folder):
    if dist.get_rank() == 0:
        download(folder)
    dist.barrier()
    return os.listdir(folder)


def download_first_with_two_guards(download, folder):
    rank = dist.get_rank()
    if rank != 0:
        dist.barrier()
    data = download(folder)
    if rank == 0:
        dist.barrier()
    return data


def download_and_check(download, folder):
    if dist.get_rank() == 0 and not os.path.exists(folder):
        download(folder)
    dist.barrier()


def first_writes_the_others_read(path, make):
    if dist.get_rank() != 0:
        dist.barrier()
    if os.path.exists(path):
        with open(path) as file:
            data = file.read()
        if dist.get_rank() == 0:
            dist.barrier()
    else:
        assert dist.get_rank() == 0, "the others find the file"
        data = make(path)
        dist.barrier()
    return data
