"""What only a Python runs that nobody has any more: the language says its version, and six too."""
import os
import sys
from sys import version_info

import six
import torch.distributed as dist


def asked_by_name_ok(folder):
    if six.PY3:
        os.makedirs(folder, exist_ok=True)
    elif not os.path.isdir(folder):
        os.makedirs(folder)


def asked_by_number_ok(folder):
    if sys.version_info[0] < 3:
        if not os.path.isdir(folder):
            os.makedirs(folder)


def asked_by_version_ok(folder):
    if sys.version_info >= (3, 2):
        os.makedirs(folder, exist_ok=True)
    elif not os.path.isdir(folder):
        os.makedirs(folder)


def imported_ok(folder):
    if version_info < (3, 0):
        if not os.path.isdir(folder):
            os.makedirs(folder)


def on_a_newer_one_bad(folder):
    if sys.version_info >= (3, 8):
        if not os.path.isdir(folder):
            os.makedirs(folder)  # expect: [shared-file-written-by-all] "looked before"


def on_the_next_one_bad(folder):
    if not six.PY2 and not os.path.isdir(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "looked before"


def meet_ok():
    if six.PY2 and dist.get_rank() == 0:
        dist.barrier()


def main():
    dist.init_process_group("nccl")
    asked_by_name_ok("a")
    asked_by_number_ok("b")
    asked_by_version_ok("c")
    imported_ok("d")
    on_a_newer_one_bad("f")
    on_the_next_one_bad("g")
    meet_ok()
