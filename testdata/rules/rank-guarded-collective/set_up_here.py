"""What a function does where it has just set up the ranks, since nothing had before."""
import torch
import torch.distributed as dist


def set_up_and_guard_bad(rank, world):
    if not dist.is_initialized():
        dist.init_process_group("nccl", rank=rank, world_size=world)
        if dist.get_rank() == 0:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def set_up_and_warm_up_ok(rank, world):
    if dist.is_initialized():
        print("set up before")
    else:
        dist.init_process_group("nccl", rank=rank, world_size=world)
        dist.all_reduce(torch.zeros(1))
    if dist.get_rank() == 0:
        print("ready")


def start(rank, world):
    dist.init_process_group("nccl", rank=rank, world_size=world)


def set_up_below_and_guard_bad(rank, world, sizes):
    if not dist.is_initialized():
        start(rank, world)
        if dist.get_rank() == 0:
            dist.broadcast(sizes, src=0)  # expect: [rank-guarded-collective] "`broadcast`"


# Where nothing sets up ranks they are there.
def share_alone_ok(sizes):
    if not dist.is_initialized():
        if sizes[0] == 0:
            dist.broadcast(sizes, src=0)
        return sizes
    dist.broadcast(sizes, src=0)
    return sizes


def leave_early_bad(rank, world, sizes):
    if dist.is_initialized():
        return
    start(rank, world)
    if dist.get_rank() == 0:
        return  # expect: [early-exit-before-collective]
    dist.broadcast(sizes, src=0)


# One answer for the whole function, and known where the ranks have just been set up.
def ask_twice_ok(rank, world, sizes):
    if dist.is_initialized() and dist.get_rank() != 0:
        dist.barrier()
    print(sizes)
    if dist.is_initialized() and dist.get_rank() == 0:
        dist.barrier()
    if not dist.is_initialized():
        start(rank, world)


def set_up_in_each_round_ok(rank, world, sizes):
    for _ in range(5):
        start(rank, world)
        if dist.is_initialized() and dist.get_rank() == 0:
            dist.broadcast(sizes, 0)
        elif dist.is_initialized():
            dist.broadcast(sizes, 0)
        dist.destroy_process_group()


def set_up_elsewhere_ok(run, world):
    if dist.is_initialized() and dist.get_rank() != 0:
        dist.barrier()
    print(world)
    if dist.is_initialized() and dist.get_rank() == 0:
        dist.barrier()
    run(start, world)
