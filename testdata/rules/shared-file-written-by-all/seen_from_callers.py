"""Conditions on what callers hand over: each is put in the callers' terms."""
import functools
import os
import shutil

import torch
import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter


def clear(folder, writer=None):
    if writer is not None:
        shutil.rmtree(folder)


def with_a_writer_of_one_rank_ok(folder):
    dist.barrier()
    if dist.get_rank() == 0:
        writer = SummaryWriter(folder)
    else:
        writer = None
    clear(folder, writer)


def open_log(folder, mode="a"):
    path = os.path.join(folder, "log.txt")
    if mode == "o":
        os.remove(path)
    return path


def appended_to_ok(folder):
    open_log(folder, mode="a")
    dist.barrier()


def begin_bad(folder, fresh):
    if fresh:
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"


def begun(folder):
    begin_bad(folder, True)
    dist.barrier()


def rank_and_size():
    if dist.is_initialized():
        rank = dist.get_rank()
        size = dist.get_world_size()
    else:
        rank = 0
        size = 1
    return rank, size


def main_process(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        rank, _ = rank_and_size()
        if rank == 0:
            return function(*args, **kwargs)

    return run


class Runner:
    def train(self, steps):
        for step in range(steps):
            self.save(step)
            dist.barrier()

    @main_process
    def save(self, step):
        torch.save({"step": step}, self.path)


def evaluate(folder, distributed, is_main_process):
    if distributed:
        dist.barrier()
        if not is_main_process():
            return {}
    write_scores(folder)


def write_scores(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)


def save_logs(args, folder):
    if args.save_logs:
        shutil.rmtree(folder)


def flagged_ok(args, folder):
    args.save_logs = args.logs != "none" and dist.get_rank() == 0
    dist.barrier()
    save_logs(args, folder)
