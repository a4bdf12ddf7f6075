"""Addresses that need not be of this machine, and some that are."""
import argparse
import os

import torch
import torch.distributed as dist

LOCAL = "tcp://127.0.0.1:29500"


def local_rank():
    return int(os.environ["LOCAL_RANK"])


def of_either_machine_bad(args):
    args.address = "tcp://localhost:29500"
    if args.head:
        args.address = "tcp://" + args.head
    dist.init_process_group("nccl", init_method=args.address, rank=local_rank(), world_size=args.ranks)  # expect: [device-not-bound] "local rank"


def of_the_environment_bad(args):
    url = "tcp://" + os.environ.get("HEAD", "localhost")
    dist.init_process_group("nccl", init_method=url, rank=local_rank(), world_size=args.ranks)  # expect: [device-not-bound] "local rank"


def of_nobody_knows_bad(args):
    dist.init_process_group("nccl", init_method=args.other, rank=local_rank(), world_size=args.ranks)  # expect: [device-not-bound] "local rank"


def of_the_file_ok(args):
    dist.init_process_group("nccl", init_method=LOCAL, rank=local_rank(), world_size=args.ranks)


def filled_in_ok(args):
    url = "tcp://{}:{}".format("localhost", args.port)
    dist.init_process_group("nccl", init_method=url, rank=local_rank(), world_size=args.ranks)


def of_a_dictionary_ok(ranks):
    config = {"url": "tcp://127.0.0.1:29500", "ranks": ranks}
    dist.init_process_group("nccl", init_method=config["url"], rank=local_rank(), world_size=config["ranks"])


def of_a_default_ok(ranks, where="tcp://localhost:29500"):
    dist.init_process_group("nccl", init_method=where, rank=local_rank(), world_size=ranks)


def of_an_option_ok():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dist-url", default="tcp://localhost:29500")
    parser.add_argument("--ranks", type=int, help="on localhost")
    args = parser.parse_args()
    dist.init_process_group("nccl", init_method=args.dist_url, rank=local_rank(), world_size=args.ranks)
