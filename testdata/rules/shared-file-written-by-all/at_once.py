"""What all ranks do to one path at once, up the calls to where all of them communicate."""
import argparse
import io
import os
import shutil
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def make_bad(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "looked before"


def make_path_bad(folder):
    Path(folder).mkdir(parents=True)  # expect: [shared-file-written-by-all]


def clean_bad(folder):
    if os.path.exists(folder):
        shutil.rmtree(folder)  # expect: [shared-file-written-by-all] "removes `folder`"


def behind_a_join_bad(args):
    if dist.get_rank() == 0:
        print(args)
    os.mkdir(args.log_dir)  # expect: [shared-file-written-by-all]


def save_bad(model, path):
    torch.save(model.state_dict(), os.path.join(path, "last.pt"))  # expect: [shared-file-written-by-all]


def make_ok(folder):
    os.makedirs(folder, exist_ok=True)


def clean_ok(folder):
    shutil.rmtree(folder, ignore_errors=True)


def of_the_rank_ok(folder):
    os.makedirs(folder)


def by_one_ok(folder):
    os.makedirs(folder)


def caught_ok(folder):
    try:
        os.mkdir(folder)
    except FileExistsError:
        pass


def temporary_ok():
    folder = tempfile.mkdtemp()
    shutil.rmtree(folder)


def save_ok(model, path):
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    torch.save(model.state_dict(), f"{path}/{dist.get_rank()}.pt")
    if dist.get_rank() != 0:
        return
    torch.save(model.state_dict(), path)


def main(model):
    args = argparse.ArgumentParser().parse_args()
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    make_bad(args.out)
    make_path_bad(args.out)
    clean_bad(args.old)
    behind_a_join_bad(args)
    save_bad(model, args.out)
    make_ok(args.out)
    clean_ok(args.old)
    of_the_rank_ok(f"{args.out}/{rank}")
    if rank == 0:
        by_one_ok(args.out)
    caught_ok(args.out)
    temporary_ok()
    save_ok(model, args.out)
    dist.barrier()


def worker(rank):
    dist.init_process_group("nccl", rank=rank, world_size=2)
    dist.barrier()


def before_there_are_ranks_ok():
    os.makedirs("out")
    mp.spawn(worker, nprocs=2)


def launch_ok(folder):
    if "LOCAL_RANK" not in os.environ:
        shutil.rmtree(folder)
    dist.init_process_group("gloo")
    dist.barrier()


def where_there_is_a_job_bad(folder, is_wanted):
    if "RANK" in os.environ and is_wanted:
        os.makedirs(folder)  # expect: [shared-file-written-by-all]
    dist.init_process_group("gloo")
    dist.barrier()


def alone_ok(folder):
    os.makedirs(folder)


if __name__ == "__main__":
    where_there_is_a_job_bad("out", True)
    main(torch.nn.Linear(1, 1))
