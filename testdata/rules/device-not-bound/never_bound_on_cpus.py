import os

import torch
import torch.distributed as dist


def start_ok(model):
    dist.init_process_group("gloo")
    model = model.to(f"cuda:{int(os.environ['LOCAL_RANK'])}")
    dist.barrier()
    return model
