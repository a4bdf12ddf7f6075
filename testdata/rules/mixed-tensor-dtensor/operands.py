"""DTensors beside plain tensors."""
import torch
from torch.distributed.tensor import DTensor, Replicate, distribute_tensor
from torch.distributed.tensor.experimental import implicit_replication


def plain_into_distributed_bad(weight: DTensor):
    weight.copy_(torch.zeros(16, 16))  # expect: [mixed-tensor-dtensor] "`copy_`"


def distributed_into_plain_bad(weight: DTensor):
    buffer = torch.zeros(16, 16)
    buffer.copy_(weight)  # expect: [mixed-tensor-dtensor] "`copy_`"


def one_element_ok(weight: DTensor):
    weight.mul_(torch.ones(1))


def both_distributed_ok(weight: DTensor, mesh):
    weight.add_(distribute_tensor(torch.zeros(16, 16), mesh, [Replicate()]))


def local_parts_ok(weight: DTensor):
    weight.to_local().copy_(torch.zeros(16, 16))


def implicit_ok(weight: DTensor):
    with implicit_replication():
        weight.add_(torch.zeros(16, 16))


def unknown_ok(weight: DTensor, other):
    weight.copy_(other)
