"""One process for each GPU of this machine: the ranks meet at an address that the options carry."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def train_ok(args):
    dist.init_process_group("nccl", init_method=args.url, rank=args.local_rank, world_size=len(args.devices))
    torch.cuda.set_device(args.local_rank)


def process(rank, args):
    args.local_rank = rank
    train_ok(args)


def main(args):
    url = "tcp://localhost:" + str(args.port)
    args.url = url
    mp.spawn(process, args=(args,), nprocs=len(args.devices))
