"""Noise that each rank has drawn by itself, and of which it takes its part as if it were that of all."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def run_bad(model, latents, dp, sp, seed):
    torch.manual_seed(seed + dist.get_rank())  # expect: [sp-inputs-differ] "the ranks of one `sp` group"
    mesh = init_device_mesh("cuda", (dp, sp), mesh_dim_names=("dp", "sp"))
    return model(part_of_noise(latents, mesh["sp"].get_group()))


def part_of_noise(latents, group):
    noise = torch.randn_like(latents)
    return noise.chunk(dist.get_world_size(group), dim=1)[dist.get_rank(group)]  # expect-note: "cut into parts"
