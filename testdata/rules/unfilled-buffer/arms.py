"""Buffers that are received into on one side of a branch."""
import torch
import torch.distributed as dist


def by_device_bad(described, keep, source, hosts, devices):
    for key, size, device in described:
        data = torch.empty(size, device=device)  # expect-note: "made here"
        if data.numel() == 0:
            keep(key, data)
            continue
        if data.is_cpu:  # expect: [unfilled-buffer] "`data` is received into on one side"
            pass
        else:
            dist.recv(data, source, group=devices)
        keep(key, data)


def by_type_bad(x, source):
    data = torch.empty_like(x)
    if not data.dtype == torch.float32:  # expect: [unfilled-buffer] "on one side"
        dist.broadcast(data, src=source)
    return data


def by_device_ok(described, keep, source, hosts, devices):
    for key, size, device in described:
        data = torch.empty(size, device=device)
        if data.numel() == 0:
            keep(key, data)
            continue
        if data.is_cpu:
            dist.recv(data, source, group=hosts)
        else:
            dist.recv(data, source, group=devices)
        keep(key, data)


def by_size_ok(x, source):
    # Nobody reads what has no numbers.
    data = torch.empty_like(x)
    if data.numel() > 0:
        dist.recv(data, source)
    return data


def by_option_ok(x, source, is_first):
    data = torch.empty_like(x)
    if not is_first:
        dist.recv(data, source)
    return data


def filled_otherwise_ok(x, source):
    data = torch.empty_like(x)
    if data.is_cpu:
        data.copy_(x)
    else:
        dist.recv(data, source)
    return data


def filled_before_ok(x, source):
    data = torch.empty_like(x)
    dist.recv(data, source)
    if data.is_cuda:
        dist.all_reduce(data)
    return data


def left_ok(x, source):
    data = torch.empty_like(x)
    if data.is_cpu:
        return None
    else:
        dist.recv(data, source)
    return data


def received_behind_ok(x, source):
    data = torch.empty_like(x)
    if data.is_cuda:
        dist.broadcast(data, src=0)
    dist.recv(data, source)
    return data
