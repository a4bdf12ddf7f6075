"""Models that are wrapped where they are made, and run or saved by a function that takes them."""
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard
from torch.nn.parallel import DistributedDataParallel


def evaluate_on_one_bad(model, batches):
    if dist.get_rank() == 0:
        for batch in batches:
            model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


def evaluate_on_one_by_return_bad(model, batches):
    if dist.get_rank() != 0:
        return  # expect: [early-exit-before-collective] "`broadcast`"
    model.eval()
    for batch in batches:
        model(batch)


def evaluate_sharded_bad(model, batch, quiet=False):
    if dist.get_rank() == 0 and not quiet:
        print(model(batch))  # expect: [rank-guarded-collective] "in the wrapped model's forward pass"


def evaluate_on_all_ok(model, batch):
    loss = model(batch)
    if dist.get_rank() == 0:
        print(loss)


def evaluate_what_is_inside_ok(model, batch):
    if dist.get_rank() == 0:
        model.module(batch)


def evaluate_unwrapped_ok(model, batch):
    if dist.get_rank() == 0:
        model(batch)


def save_either_ok(model, path):
    if isinstance(model, FSDP):
        state = model.state_dict()
        if dist.get_rank() == 0:
            torch.save(state, path)
    elif dist.get_rank() == 0:
        torch.save(model(None), path)


def save_by_option_ok(args, model, batch):
    if not args.shard and dist.get_rank() == 0:
        model(batch)


class Evaluator:
    def __init__(self, model):
        self.model = model

    def on_one_bad(self, batch):
        if dist.get_rank() == 0:
            self.model(batch)  # expect: [rank-guarded-collective] "`all_gather`"

    def on_all_ok(self, batch):
        self.model(batch)


def main(build, args, batches):
    model = FSDP(build())
    evaluate_on_one_bad(model, batches)
    evaluate_on_all_ok(model, batches[0])
    save_either_ok(model, args.path)


def main_by_option(build, args, batches):
    model = build()
    if args.distributed:
        model = DistributedDataParallel(model)
    if args.compile:
        model = torch.compile(model)
    evaluate_on_one_by_return_bad(model, batches=batches)
    evaluate_what_is_inside_ok(model, batches[0])
    inner = model.module
    evaluate_unwrapped_ok(inner, batches[0])


def main_sharded(build, args, batch):
    model = build()
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    evaluate_sharded_bad(model, batch)
    Evaluator(model).on_one_bad(batch)


def main_sharded_by_option(build, args, batch):
    model = build()
    if args.shard:
        model = FSDP(model)
    save_by_option_ok(args, model, batch)
