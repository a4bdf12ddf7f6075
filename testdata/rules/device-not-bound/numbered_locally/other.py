"""Another program of the same folder, whose ranks are those of the world."""
import torch
import torch.distributed as dist


def place_bad(model):
    dist.init_process_group("nccl")
    return model.to(torch.device("cuda", dist.get_rank()))  # expect: [device-not-bound] "global rank's number"
