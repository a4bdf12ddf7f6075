"""Buffers of broadcasts: whose type do they have?"""
import torch
import torch.distributed as dist
from safetensors import safe_open
from safetensors.torch import load_file


def default_type_bad(path, device):
    with safe_open(path, framework="pt") as f:
        for name in f.keys():
            if dist.get_rank() == 0:
                weight = f.get_tensor(name)
            else:
                shape = f.get_slice(name).get_shape()
                weight = torch.empty(shape, device=device)  # expect: [broadcast-metadata-mismatch] "the default type, float32"
            dist.broadcast(weight, src=0)
            yield name, weight


def written_type_bad(path, shape):
    if dist.get_rank() == 0:
        weight = torch.load(path)
    else:
        weight = torch.empty(shape, dtype=torch.bfloat16)  # expect: [broadcast-metadata-mismatch] "torch.bfloat16"
    dist.broadcast(weight, src=0)
    return weight


def converted_ok(path, shape):
    if dist.get_rank() == 0:
        weight = load_file(path)["weight"].to(torch.bfloat16)
    else:
        weight = torch.empty(shape, dtype=torch.bfloat16)
    dist.broadcast(weight, src=0)
    return weight


def type_is_sent_ok(path):
    if dist.get_rank() == 0:
        weight = torch.load(path)
        meta = [(weight.shape, weight.dtype)]
    else:
        meta = [None]
    dist.broadcast_object_list(meta, src=0)
    if dist.get_rank() != 0:
        weight = torch.empty(meta[0][0], dtype=meta[0][1])
    dist.broadcast(weight, src=0)
    return weight


def flag_ok(path):
    if dist.get_rank() == 0:
        flag = torch.ones(1)
    else:
        flag = torch.empty(1)
    dist.broadcast(flag, src=0)
    return flag
