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


def picked_by_a_loop_bad(groups, draw, batch_size, device):
    if dist.get_rank() == 0:
        picked = []
        for group in groups:
            picked += draw(group)
        batch = torch.tensor(picked, device=device).view(-1)
    else:
        batch = torch.empty(batch_size, dtype=torch.long, device=device)  # expect: [broadcast-metadata-mismatch] "by a size of their own"
    dist.broadcast(batch, src=0)
    return batch


def filtered_bad(items, wanted, count):
    if dist.get_rank() == 0:
        kept = []
        for item in items:
            if wanted(item):
                kept.append(item)
        ids = torch.tensor(kept)
    else:
        ids = torch.zeros(count, dtype=torch.long)  # expect: [broadcast-metadata-mismatch] "by a size of their own"
    dist.broadcast(ids, src=0)
    return ids


def stacked_bad(rows, wanted, count, width, device):
    if dist.get_rank() == 0:
        kept = []
        for row in rows:
            if wanted(row):
                kept.append(row)
        table = torch.stack(kept)
        table = table.to(device)
    else:
        table = torch.empty(count, width).to(device)  # expect: [broadcast-metadata-mismatch] "by a size of their own"
    dist.broadcast(table, src=0)
    return table


def filled_up_ok(groups, draw, batch_size):
    if dist.get_rank() == 0:
        picked = []
        for group in groups:
            picked += draw(group)
        picked += [-1] * (batch_size - len(picked))
        batch = torch.tensor(picked)
    else:
        batch = torch.empty(batch_size, dtype=torch.long)
    dist.broadcast(batch, src=0)
    return batch


def one_a_round_ok(items, count):
    if dist.get_rank() == 0:
        ids = []
        for item in items:
            ids.append(item)
        batch = torch.tensor(ids)
    else:
        batch = torch.empty(count, dtype=torch.long)
    dist.broadcast(batch, src=0)
    return batch


def number_is_sent_ok(items, wanted):
    if dist.get_rank() == 0:
        kept = [item for item in items if wanted(item)]
        count = [len(kept)]
        ids = torch.tensor(kept)
    else:
        count = [None]
    dist.broadcast_object_list(count, src=0)
    if dist.get_rank() != 0:
        ids = torch.empty(count[0], dtype=torch.long)
    dist.broadcast(ids, src=0)
    return ids


def sized_by_the_same_ok(groups, draw, share):
    if dist.get_rank() == 0:
        picked = []
        for group in groups:
            picked.extend(draw(group, share))
        batch = torch.tensor(picked)
    else:
        batch = torch.empty(len(groups) * share, dtype=torch.long)
    dist.broadcast(batch, src=0)
    return batch
