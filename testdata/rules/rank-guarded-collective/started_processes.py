"""A function that processes are started with is told the number of its own, whatever the parameter is called."""
import torch.distributed as dist
import torch.multiprocessing as mp


def train_bad(index, count, args):
    args.rank = args.node * count + index
    dist.init_process_group("nccl", rank=args.rank, world_size=args.nodes * count)
    if index == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "local rank 0"
    if args.rank == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "rank 0"


def train_named_bad(gpu, count, args):
    args.rank = args.rank * count + gpu
    dist.init_process_group("nccl", rank=args.rank, world_size=args.world_size)
    if args.rank == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "rank 0"


def train_ok(index, count, args):
    dist.init_process_group("nccl", rank=args.node * count + index, world_size=args.nodes * count)
    if index == 0:
        print("started")
    dist.barrier()


def main(args):
    mp.spawn(train_bad, nprocs=4, args=(4, args))
    mp.spawn(train_named_bad, nprocs=4, args=(4, args))
    mp.spawn(train_ok, nprocs=4, args=(4, args))
