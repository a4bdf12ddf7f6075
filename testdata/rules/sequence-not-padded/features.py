"""Features are cut over a tensor-parallel group as the weights are: no sequence."""
import torch
import torch.distributed as dist


class JoinedNorm(torch.nn.Module):
    def __init__(self, features, tp_group):
        super().__init__()
        self.tp_group = tp_group
        self.weight = torch.nn.Parameter(torch.ones(features))

    def features_ok(self, x):
        rank = dist.get_rank(self.tp_group)
        world_size = dist.get_world_size(self.tp_group)
        x = torch.chunk(x, world_size, dim=-1)[rank]
        x = self.weight * x
        parts = [torch.empty_like(x) for _ in range(world_size)]
        dist.all_gather(parts, x, group=self.tp_group)
        return torch.cat(parts, dim=-1)


class Sequence(torch.nn.Module):
    def sequence_bad(self, x):
        rank = dist.get_rank(self.sp_group)
        world_size = dist.get_world_size(self.sp_group)
        x = torch.chunk(x, world_size, dim=1)[rank]  # expect: [sequence-not-padded]
        parts = [torch.empty_like(x) for _ in range(world_size)]
        dist.all_gather(parts, x, group=self.sp_group)
        return torch.cat(parts, dim=1)
