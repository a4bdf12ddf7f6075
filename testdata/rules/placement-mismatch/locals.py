"""What from_local is told about its data."""
import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard


class Experts(torch.nn.Module):
    def forward(self, x, mask):
        x = DTensor.from_local(x, device_mesh=self.mesh, placements=[Shard(0)]).full_tensor()  # expect: [placement-mismatch] "batches of other lengths"
        mask = DTensor.from_local(mask, device_mesh=self.mesh, placements=[Shard(0)]).full_tensor()  # expect: [placement-mismatch] "batches of other lengths"
        return self.run(x, mask)


class TrainedExperts(torch.nn.Module):
    def forward(self, x):
        x = DTensor.from_local(x, self.mesh, [Shard(0)]).full_tensor(grad_placements=[Partial()])  # expect: [placement-mismatch] "batches of other lengths"
        return self.run(x)


class HalfWhole(torch.nn.Module):
    def forward(self, x):
        parts = DTensor.from_local(x, self.mesh, [Shard(0)])
        scaled = parts * 2
        return scaled, parts.full_tensor()


class Attention(torch.nn.Module):
    def forward(self, keys):
        return DTensor.from_local(keys, self.mesh, [Shard(2)]).full_tensor()


class Loss(torch.nn.Module):
    def forward(self, partial_sum):
        return DTensor.from_local(partial_sum, self.mesh, [Partial()]).full_tensor()


class Sized(torch.nn.Module):
    def forward(self, x):
        whole = DTensor.from_local(x, self.mesh, [Shard(0)], shape=self.shape, stride=self.stride)
        return whole.full_tensor()


def whole_as_shard_bad(weight: DTensor, mesh):
    whole = weight.full_tensor().float()
    return DTensor.from_local(whole, mesh, [Shard(0)])  # expect: [placement-mismatch] "every rank has the whole tensor"


def whole_as_replicated_ok(weight: DTensor, mesh):
    whole = weight.full_tensor()
    return DTensor.from_local(whole, mesh, [Replicate()])


def part_as_shard_ok(weight: DTensor, mesh):
    return DTensor.from_local(weight.to_local() * 2, mesh, [Shard(0)])
