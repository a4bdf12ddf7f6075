"""The ranks draw noise for what each of them has of the sequence."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def run_ok(model, part, dp, sp, seed):
    torch.manual_seed(seed + dist.get_rank())
    mesh = init_device_mesh("cuda", (dp, sp), mesh_dim_names=("dp", "sp"))
    return model(torch.randn_like(part), mesh["sp"])
