"""Who tells the process group a parameter as its rank says what the parameter is."""
import torch
import torch.distributed as dist


def worker_bad(gpu, world_size, settings):
    dist.init_process_group("nccl", rank=gpu, world_size=world_size)
    x = torch.ones(1, device=gpu)
    if gpu == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def worker_ok(gpu, world_size, settings):
    dist.init_process_group("nccl", rank=gpu, world_size=world_size)
    x = torch.ones(1, device=gpu)
    dist.all_reduce(x)
    if gpu == 0:
        print(x)


def another_parameter_ok(gpu, verbosity, world_size):
    dist.init_process_group("nccl", rank=gpu, world_size=world_size)
    x = torch.ones(1, device=gpu)
    if verbosity == 0:
        dist.all_reduce(x)


def one_node_ok(gpu, settings):
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl", rank=gpu, world_size=torch.cuda.device_count())
    dist.all_reduce(torch.ones(1, device=gpu))


def main(settings):
    torch.multiprocessing.spawn(worker_bad, args=(4, settings), nprocs=4)
