"""Noise for one sample, which the ranks of a sequence-parallel group draw each for itself."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def start(dp, sp):
    return init_device_mesh("cuda", (dp, sp), mesh_dim_names=("dp", "sp"))  # expect-note: "the `sp` group"


def drawn_bad(shape, seed):
    generator = torch.Generator().manual_seed(seed + dist.get_rank())  # expect: [sp-inputs-differ] "draw different numbers"
    return torch.randn(shape, generator=generator)  # expect-note: "drawn or cut into parts here"


def drawn_ok(shape, seed, mesh):
    generator = torch.Generator().manual_seed(seed + mesh["dp"].get_local_rank())
    return torch.randn(shape, generator=generator)


class Trainer:
    def __init__(self, seed):
        self.generator = torch.Generator()
        self.generator.manual_seed(seed + dist.get_rank())  # expect: [sp-inputs-differ] "`manual_seed`"

    def step(self, batch):
        return batch + torch.randn(batch.shape, generator=self.generator)


class SharingTrainer:
    def __init__(self, seed):
        self.generator = torch.Generator()
        self.generator.manual_seed(seed + dist.get_rank())

    def step_ok(self, batch, group):
        noise = torch.randn(batch.shape, generator=self.generator)
        dist.broadcast(noise, src=dist.get_global_rank(group, 0), group=group)
        return batch + noise


def unused_ok(seed):
    return torch.Generator().manual_seed(seed + dist.get_rank())


def of_its_part_ok(length, seed):
    generator = torch.Generator().manual_seed(seed + dist.get_rank())
    return torch.randn(length // dist.get_world_size(), generator=generator)


def of_its_part_too_ok(seed, world):
    generator = torch.Generator().manual_seed(seed + dist.get_rank())
    return torch.randn(4608 // world, generator=generator)
