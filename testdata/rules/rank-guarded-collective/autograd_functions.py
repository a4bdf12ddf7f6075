"""Operations that autograd applies: `apply` is `forward` with a context before."""
import torch
import torch.distributed as dist
from torch.autograd import Function


class Sum(Function):
    @staticmethod
    def forward(ctx, x, group):
        ctx.group = group
        dist.all_reduce(x, group=group)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class SumApart(torch.autograd.Function):
    @staticmethod
    def forward(x, group):
        dist.all_reduce(x, group=group)
        return x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.group = inputs[1]

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        dist.all_reduce(grad)
        return grad, None


def total(x, group=None):
    return Sum.apply(x, group)


sum_up = Sum.apply


class Total(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sum_up = Sum.apply

    def forward(self, x):
        return self.sum_up(x, None)


def applied_bad(x):
    if dist.get_rank() == 0:
        x = Sum.apply(x, None)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def applied_within_bad(x):
    if dist.get_rank() == 0:
        x = total(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def context_apart_bad(x):
    if dist.get_rank() == 0:
        x = SumApart.apply(x, None)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def named_bad(x):
    if dist.get_rank() == 0:
        x = sum_up(x, None)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def kept_bad(x):
    module = Total()
    if dist.get_rank() == 0:
        x = module(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def by_all_ok(x):
    x = total(x)
    if dist.get_rank() == 0:
        print(x)
    return x


def forward_alone_ok(x):
    if dist.get_rank() == 0:
        x = Scale.apply(x, 2.0)
    return x
