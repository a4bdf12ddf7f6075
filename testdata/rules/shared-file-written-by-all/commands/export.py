import os

import torch.distributed as dist

from folders import begin_bad


def main_ok(folder):
    dist.init_process_group("nccl")
    begin_bad(folder)
    os.makedirs("exported")  # silent: [started-alone]
    dist.barrier()


if __name__ == "__main__":
    main_ok("exported")
