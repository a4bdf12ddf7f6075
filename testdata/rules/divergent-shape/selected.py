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


def same_on_all_ranks_ok(weights, everyone):
    dist.all_gather_into_tensor(everyone, weights[weights > 0])
