import os

import torch.distributed as dist

from folders import begin_bad


def main_bad(folder):
    dist.init_process_group("nccl")
    begin_bad(folder)
    os.makedirs("out")  # expect: [shared-file-written-by-all] "makes the folder"
    dist.barrier()


if __name__ == "__main__":
    main_bad("out")
