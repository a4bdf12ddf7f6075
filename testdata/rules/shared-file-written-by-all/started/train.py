import os

import torch.distributed as dist


def main_bad():
    dist.init_process_group("nccl")
    os.makedirs("runs")  # expect: [shared-file-written-by-all] "makes the folder"
    dist.barrier()


if __name__ == "__main__":
    main_bad()
