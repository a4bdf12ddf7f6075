"""A pipeline draws with a generator that each rank seeds for itself, and one rank's numbers are sent to the others."""
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def start(dp, sp):
    return init_device_mesh("cuda", (dp, sp), mesh_dim_names=("dp", "sp"))  # expect-note: "the `sp` group"


def from_first(tensor, group):
    dist.broadcast(tensor, dist.get_global_rank(group, 0), group=group)


class Pipeline:
    def __init__(self, group):
        self.group = group

    def prepare(self, shape, generator):
        return torch.randn(shape, generator=generator)

    def generate(self, prompt, shape, generator):
        noise = self.prepare(shape, generator=generator)
        if dist.get_world_size(self.group) > 1:
            from_first(noise, self.group)
        return prompt + noise

    def generate_apart(self, prompt, shape, generator):
        if dist.get_world_size(self.group) > 1:
            from_first(prompt, self.group)
        noise = self.prepare(shape, generator=generator)
        return prompt + noise

    def generate_in_parts(self, prompt, shape, generator):
        noise = self.prepare(shape, generator=generator)
        from_first(noise, self.group)
        mask = self.prepare(shape, generator=generator)
        return prompt + noise * mask


def drawn_alike_ok(prompt, shape, seed, group):
    generator = torch.Generator().manual_seed(seed + dist.get_rank())
    return Pipeline(group).generate(prompt, shape, generator=generator)


def drawn_apart_bad(prompt, shape, seed, group):
    generator = torch.Generator().manual_seed(seed + dist.get_rank())  # expect: [sp-inputs-differ] "draw different numbers"
    return Pipeline(group).generate_apart(prompt, shape, generator=generator)


def drawn_in_parts_bad(prompt, shape, seed, group):
    generator = torch.Generator().manual_seed(seed + dist.get_rank())  # expect: [sp-inputs-differ] "draw different numbers"
    return Pipeline(group).generate_in_parts(prompt, shape, generator=generator)
