"""A helper that is handed a wrapped model in one call and a plain one in another, by two callers or by one."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def count(model, batch):
    return model(batch)


def describe_ok(net, batch):
    if dist.get_rank() == 0:
        print(count(net, batch))  # silent: [handed-plain]


def count_in_turn(model, batch):
    return count(model, batch)


def describe_further_down_ok(net, batch):
    if dist.get_rank() == 0:
        print(count_in_turn(net, batch))  # silent: [handed-plain]


def describe_wrapped_bad(net, batch):
    model = DistributedDataParallel(net)
    if dist.get_rank() == 0:
        print(count(model, batch))  # expect: [rank-guarded-collective] "in the wrapped model's forward pass"


def describe_what_is_given_bad(model, batch):
    if dist.get_rank() == 0:
        print(count(model, batch))  # expect: [rank-guarded-collective] "in the wrapped model's forward pass"


def train(net, batch):
    model = DistributedDataParallel(net)
    count(model, batch)
    count_in_turn(model, batch)
    describe_what_is_given_bad(model, batch)


def measured(model, batch):
    return model(batch).mean()


def teaches(net, teacher, batches):
    student = DistributedDataParallel(net)
    for batch in batches:
        measured(student, batch).backward()
    if dist.get_rank() == 0:
        measured(teacher, batches[0])  # silent: [handed-plain]


def tests_on_one_bad(net, batches):
    student = DistributedDataParallel(net)
    for batch in batches:
        measured(student, batch).backward()
    if dist.get_rank() == 0:
        measured(student, batches[0])  # expect: [rank-guarded-collective]
