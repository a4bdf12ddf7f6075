import argparse

import torch.distributed as dist


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="nccl")
    parser.add_argument("--ddp-timeout", type=int, default=7200)
    return parser.parse_args()


def main_bad():
    args = parse()
    dist.init_process_group(backend=args.backend)  # expect: [timeout-not-passed-on] "`ddp_timeout`"


def parse_under_another_name():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default="nccl")
    parser.add_argument("--start-timeout", dest="limit", type=int, default=7200)
    return parser.parse_args()


def under_another_name_ok():
    args = parse_under_another_name()
    print(args.limit)
    dist.init_process_group(backend=args.library)
