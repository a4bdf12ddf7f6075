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
