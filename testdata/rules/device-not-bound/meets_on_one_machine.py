import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def wrapped(model):
    rank = dist.get_rank()
    return DistributedDataParallel(model, device_ids=[rank])  # silent: [started-on-one-machine]


def devices_of_this_machine(local_rank, port, model):
    torch.cuda.set_device(local_rank)
    dist.init_process_group(
        "nccl",
        init_method="tcp://127.0.0.1:" + str(port),
        world_size=torch.cuda.device_count(),
        rank=local_rank,
    )
    return wrapped(model)
