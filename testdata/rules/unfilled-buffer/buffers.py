"""Buffers for messages, read with and without a message in them."""
import pickle

import torch
import torch.distributed as dist


def size_bad(source):
    size = torch.empty(1, dtype=torch.long)  # expect-note: "made here"
    count = size.item()  # expect: [unfilled-buffer] "`size` is read here"
    data = torch.empty(count, dtype=torch.uint8)
    dist.recv(data, source)
    return data


def content_bad(source, group):
    size = torch.empty(1, dtype=torch.long)
    dist.recv(size, source, group)
    data = torch.empty(size.item(), dtype=torch.uint8)
    return pickle.loads(data.numpy().tobytes())  # expect: [unfilled-buffer] "`data`"


def sum_bad(x):
    other = torch.empty_like(x)
    dist.all_reduce(x)
    return x + other.shape[0] * other.sum()  # expect: [unfilled-buffer] "`other`"


def received_ok(source):
    size = torch.empty(1, dtype=torch.long)
    dist.recv(size, source)
    data = torch.empty(size.item(), dtype=torch.uint8)
    dist.recv(data, source)
    return pickle.loads(data.numpy().tobytes())


def handed_to_somebody_ok(x, fill):
    other = torch.empty_like(x)
    dist.all_reduce(x)
    fill(other)
    return other.sum()


def written_ok(x):
    other = torch.empty_like(x)
    dist.all_reduce(x)
    other.copy_(x)
    return other.sum()


def filled_ok(x):
    other = torch.empty_like(x)
    dist.all_reduce(x)
    other.zero_()
    return other.sum()


def written_by_part_ok(x):
    other = torch.empty_like(x)
    dist.all_reduce(x)
    other[0] = 1
    return other.sum()


def under_another_name_ok(x):
    other = torch.empty_like(x)
    part = other.view(-1)
    dist.all_reduce(part)
    return other.sum()


def form_ok(x):
    other = torch.empty_like(x)
    dist.all_reduce(x)
    return x / other.numel()


def empty_ok(x):
    nothing = torch.empty(0)
    dist.all_reduce(x)
    return x + nothing.sum()


def alone_ok(x):
    other = torch.empty_like(x)
    return other.sum()


def in_a_closure_ok(x):
    other = torch.empty_like(x)

    def fill():
        dist.recv(other, 0)

    fill()
    dist.all_reduce(x)
    return other.sum()
