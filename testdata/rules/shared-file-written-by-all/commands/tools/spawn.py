# One process, which starts the others.
import os

import torch
import torch.distributed as dist


def work_bad(rank):
    dist.init_process_group("nccl", rank=rank, world_size=2)
    os.makedirs("spawned")  # expect: [shared-file-written-by-all] "makes the folder"
    dist.barrier()


if __name__ == "__main__":
    torch.multiprocessing.spawn(work_bad, nprocs=2)
