import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from parts.model import build


def work(local_rank, world_size, url):
    dist.init_process_group("nccl", init_method=url, rank=local_rank, world_size=world_size)
    build()


def main(url):
    mp.spawn(work, args=(torch.cuda.device_count(), url), nprocs=torch.cuda.device_count())
