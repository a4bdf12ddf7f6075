"""Folders that a function makes where they are not there yet, and that its callers have made before."""
import os

import torch.distributed as dist


def fill_ok(folder):
    dist.barrier()
    if not os.path.exists(folder):
        os.makedirs(folder)


def made_before_bad(options):
    dist.init_process_group("nccl")
    if not os.path.exists(options.folder):
        os.makedirs(options.folder)  # expect: [shared-file-written-by-all] "makes the folder `options.folder`"
    fill_ok(options.folder)


def made_before_in_any_case_ok(options):
    dist.init_process_group("nccl")
    os.makedirs(options.folder, exist_ok=True)
    fill_ok(options.folder)


def fill_one_of_two_bad(folder):
    dist.barrier()
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder `folder`"


def one_is_made_before_ok(options):
    os.makedirs(options.folder, exist_ok=True)
    fill_one_of_two_bad(options.folder)
    fill_one_of_two_bad(options.other)


def fill_under_an_option_bad(folder):
    dist.barrier()
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder `folder`"


def made_under_an_option_ok(options):
    if options.fresh:
        os.makedirs(options.folder, exist_ok=True)
    fill_under_an_option_bad(options.folder)


def make_if_missing(folder):
    try:
        os.makedirs(folder)
    except FileExistsError:
        pass


def make_on_first(folder):
    if dist.get_rank() == 0:
        os.makedirs(folder)


def prepared_ok(args):
    if not os.path.exists(args.output):
        os.makedirs(args.output)


def prepare_first(args):
    dist.init_process_group("nccl")
    make_if_missing(args.output)
    prepared_ok(args)


def made_here_ok(folder):
    dist.barrier()
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(folder):
        os.makedirs(folder)


def made_by_first_alone_bad(folder):
    dist.barrier()
    make_on_first(folder)
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"
