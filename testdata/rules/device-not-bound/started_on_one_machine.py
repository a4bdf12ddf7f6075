import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def set_up(rank, world_size):
    dist.init_process_group("nccl", init_method="tcp://localhost:29500", rank=rank, world_size=world_size)


def work():
    rank = dist.get_rank()
    return torch.zeros(1).to(rank)  # silent: [started-on-one-machine]


def spawned(rank, world_size):
    set_up(rank, world_size)
    dist.all_reduce(work())


def first_of_node(gpu, node, gpus):
    dist.init_process_group("nccl", rank=node * gpus + gpu, world_size=16)
    torch.zeros(1).to(dist.get_rank())  # expect: [device-not-bound] "global rank's number"


def in_a_loop(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.zeros(1).to(dist.get_rank())  # silent: [started-on-one-machine]


def also_called(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.zeros(1).to(dist.get_rank())  # expect: [device-not-bound] "global rank's number"


if __name__ == "__main__":
    mp.spawn(spawned, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
    mp.spawn(first_of_node, args=(0, 8), nprocs=8)
    for number in range(8):
        mp.Process(target=in_a_loop, args=(number, 8)).start()
    mp.spawn(also_called, args=(8,), nprocs=8)
    also_called(0, 8)
