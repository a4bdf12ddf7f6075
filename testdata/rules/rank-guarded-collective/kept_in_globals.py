"""Variables of the file that a function writes which calls those that read them."""
import torch.distributed as dist

FIRST = False
SIZE = 0


def main():
    global FIRST, SIZE
    dist.init_process_group("nccl")
    FIRST = dist.get_rank() == 0
    SIZE = dist.get_world_size()
    write_out_bad()
    ask_for_size_ok()


def write_out_bad():
    if FIRST:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def ask_for_size_ok():
    if SIZE > 1:
        dist.barrier()


main()
