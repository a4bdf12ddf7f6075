"""A rank that is computed of a node's number and the rank within it."""
import argparse

import torch.distributed as dist


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--node_index", type=int, default=0)
    parser.add_argument("--gpus_per_node", type=int, default=8)
    return parser.parse_args()


def first_goes_first_ok(load):
    args = options()
    args.local_rank += args.node_index * args.gpus_per_node
    if args.local_rank not in [-1, 0]:
        dist.barrier()
    load()
    if args.local_rank == 0:
        dist.barrier()


def met_by_the_first_bad(load):
    args = options()
    rank = args.gpus_per_node * args.node_index + args.local_rank
    load()
    if rank == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "rank 0"
