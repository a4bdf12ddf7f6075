"""Flags by a rank that the program's start hands on: each class has its own, whatever others give theirs."""
import argparse

import torch.distributed as dist
import wandb


class Base:
    def __init__(self, args):
        self.args = args
        self.verbose = True
        if args.distributed and self.args.gpu != 0:
            self.verbose = False


class Trainer(Base):
    def train_ok(self):
        if self.verbose:
            wandb.init(project="one run")
        dist.barrier()


class Reader:
    def __init__(self, verbose):
        self.verbose = verbose

    def read_bad(self):
        if self.verbose:
            wandb.init(project="a run of each")  # expect: [run-started-by-all]
        dist.barrier()


class Counter:
    def __init__(self, args):
        self.part = args.part
        self.verbose = True
        if self.part != 0:
            self.verbose = False

    def count_bad(self):
        if self.verbose:
            wandb.init(project="parts")  # expect: [run-started-by-all]
        dist.barrier()


def worker(gpu, args, part):
    args.gpu = gpu
    args.part = part
    dist.init_process_group("nccl")
    Trainer(args).train_ok()
    Reader(args.is_wanted).read_bad()
    Counter(args).count_bad()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--is_wanted", action="store_true")
    parser.add_argument("--distributed", action="store_true")
    options = parser.parse_args()
    worker(options.local_rank, options, 3)
