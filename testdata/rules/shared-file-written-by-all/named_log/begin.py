# A path that the code of a module makes, with a function that reads a name which that code has given by then.
import torch.distributed as dist

from log import log_bad, log_ok


def main():
    dist.init_process_group("nccl")
    log_ok("begins")
    log_bad("begins")
    dist.barrier()
