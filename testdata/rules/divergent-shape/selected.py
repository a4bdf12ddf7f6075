# As many elements as a rank's own batch has that pass a test.
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def masked_bad(model, data, everyone):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        losses = model(batch)
        kept = losses[losses > 0.5].contiguous()
        dist.all_gather_into_tensor(everyone, kept)  # expect: [divergent-shape] "`kept` has as many elements"


def found_bad(model, data):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        scores = model(batch)
        wanted = scores > 0.5
        hits = torch.nonzero(scores)
        dist.all_reduce(hits)  # expect: [divergent-shape] "`hits` has as many elements"
        dist.all_reduce(scores[wanted & (scores < 1)])  # expect: [divergent-shape] "what it is given has as many"


def listed_bad(model, data):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        scores = model(batch)
        hits = scores.masked_select(scores > 0)
        parts = [torch.empty_like(hits) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, hits)  # expect: [divergent-shape] "`hits` has as many elements"


def listed_by_size(model, data, sizes):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        scores = model(batch)
        hits = scores.masked_select(scores > 0)
        parts = [torch.empty(size) for size in sizes]
        dist.all_gather(parts, hits)  # silent: [paired-sizes]


def summed_ok(model, data):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        losses = model(batch)
        total = losses[losses > 0.5].sum()
        dist.all_reduce(total)


def padded_ok(model, data, everyone, most):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        losses = model(batch)
        kept = losses[losses > 0.5]
        kept = F.pad(kept, (0, most - kept.size(0)))
        dist.all_gather_into_tensor(everyone, kept)


def picked_by_number_ok(model, data, everyone):
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        losses = model(batch)
        first = losses[0]
        dist.all_gather_into_tensor(everyone, first)


def gathered_without_the_rest_bad(weights, everyone):
    dist.all_gather_into_tensor(everyone, weights[weights > 0])  # expect: [divergent-shape] "pass a test"


def reduced_without_the_rest_bad(value):
    value = value[value != 0]
    dist.all_reduce(value)  # expect: [divergent-shape] "pass a test"
    return value


def without_missing_numbers_bad(loss):
    loss = loss[~torch.isnan(loss)]
    dist.all_reduce(loss)  # expect: [divergent-shape] "pass a test"
    return loss


def of_what_is_there_bad(value):
    flat = value.flatten()
    flat = flat[torch.nonzero(flat).flatten()]
    dist.all_reduce(flat)  # expect: [divergent-shape] "pass a test"
    return flat


def by_a_mask_for_all_ok(value, mask):
    value = value[mask > 0]
    dist.all_reduce(value)
    return value


def alike_already_ok(value):
    dist.broadcast(value, src=0)
    value = value[~torch.isnan(value)]
    dist.all_reduce(value)
    return value


def counted_up_ok():
    numbers = torch.arange(10)
    numbers = numbers[numbers != 3]
    dist.all_reduce(numbers)
    return numbers
