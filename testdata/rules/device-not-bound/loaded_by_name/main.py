import importlib

import torch
import torch.distributed as dist


def main(name):
    dist.init_process_group("nccl")
    if dist.get_world_size() != torch.cuda.device_count():
        raise ValueError("one process for each GPU of this machine")
    importlib.import_module("parts." + name).place()
    dist.barrier()
