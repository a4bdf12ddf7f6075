"""Numbers of devices that reach other calls than the one that binds."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def moved_by_the_global_rank_bad(model, batch):
    rank = dist.get_rank()
    model = model.to(rank)  # expect: [device-not-bound] "global rank's number"
    return model(batch.cuda(rank))  # expect-note: "so does this"


def device_of_the_global_rank_bad():
    return torch.device("cuda", dist.get_rank())  # expect: [device-not-bound]


def named_by_the_global_rank_bad(model):
    device = f"cuda:{dist.get_rank()}"
    return model.to(device)  # expect: [device-not-bound]


def joined_with_the_global_rank_bad(path):
    return torch.load(path, map_location="cuda:" + str(dist.get_rank()))  # expect: [device-not-bound]


def wrapped_for_the_global_rank_bad(model):
    rank = int(os.environ["RANK"])
    return DistributedDataParallel(model, device_ids=[rank])  # expect: [device-not-bound]


def barrier_of_the_global_rank_bad():
    dist.barrier(device_ids=[dist.get_rank()])  # expect: [device-not-bound]


def one_finding_for_one_cause_bad(model):
    rank = dist.get_rank()
    torch.cuda.set_device(rank)  # expect: [device-not-bound]
    return model.to(rank)


def on_the_first_alone_ok(model):
    rank = dist.get_rank()
    if rank == 0:
        model.to(rank)


def remainder_ok(model):
    return model.to(f"cuda:{dist.get_rank() % torch.cuda.device_count()}")


def local_rank_ok(model):
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return model.to(f"cuda:{int(os.environ['LOCAL_RANK'])}")


def named_so_ok(model, rank):
    return model.to(rank)


def two_numbers_ok(model):
    return model.to(f"{dist.get_rank()}:{dist.get_world_size()}:{os.environ['LOCAL_RANK']}")


def type_and_file_ok(model, path):
    rank = dist.get_rank()
    torch.load(f"{path}/{rank}.pt", map_location="cpu")
    return model.to(torch.float16)


def on_the_host_ok(model):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model.to(f"cpu:{rank}")
    model.to("cpu:" + str(rank))
