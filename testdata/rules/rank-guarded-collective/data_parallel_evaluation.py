"""Who evaluates a model that DistributedDataParallel has wrapped: without gradients it sends its buffers once, if it has any."""
import torch
import torch.distributed as dist
from apex.parallel import DistributedDataParallel as ApexDataParallel
from torch.nn.parallel import DistributedDataParallel


def train(model, loader, batches):
    model = DistributedDataParallel(model)
    for batch in loader:
        model(batch).backward()
        first_evaluates_ok(model, batches)


def first_evaluates_ok(model, batches):
    model.eval()
    if dist.get_rank() == 0:
        for batch in batches:
            with torch.no_grad():
                model(batch)  # silent: [sends-buffers-once]


def train_and_meet(model, loader, batches):
    model = DistributedDataParallel(model)
    for batch in loader:
        model(batch).backward()
        first_evaluates_and_all_meet_bad(model, batches)


def first_evaluates_and_all_meet_bad(model, batches):
    if dist.get_rank() == 0:
        with torch.no_grad():
            for batch in batches:
                model(batch)  # expect: [rank-guarded-collective] "`broadcast`"
    dist.barrier()


def train_and_try(model, loader, batches):
    model = DistributedDataParallel(model)
    for batch in loader:
        model(batch).backward()
        first_evaluates_with_gradients_bad(model, batches)


def first_evaluates_with_gradients_bad(model, batches):
    if dist.get_rank() == 0:
        for batch in batches:
            model(batch)  # expect: [rank-guarded-collective] "`broadcast`"


def train_and_share(model, loader, batches):
    model = DistributedDataParallel(model)
    for batch in loader:
        model(batch).backward()
        each_evaluates_its_share_ok(model, batches)


def each_evaluates_its_share_ok(model, batches):
    right = torch.zeros(1)
    for i, batch in enumerate(batches):
        if i % dist.get_world_size() != dist.get_rank():
            continue
        with torch.no_grad():
            right += model(batch)
    dist.all_reduce(right)


def train_with_apex_ok(model, loader):
    model = ApexDataParallel(model)
    for batch in loader:
        model(batch).backward()
    if dist.get_rank() == 0:
        for batch in loader:
            model(batch)
    dist.barrier()
