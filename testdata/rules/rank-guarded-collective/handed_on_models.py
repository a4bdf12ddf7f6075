"""Wrapped models that come out of functions, go through several, and are handed over as attributes."""
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def build(net, args):
    net = net.cuda()
    if args.distributed:
        net = FSDP(net)
    return net


def build_both(net, make_optimizer):
    model = FSDP(net)
    return model, make_optimizer(model)


def build_by_another(net, args):
    model = build(net, args)
    return model


def evaluate_built_bad(model, batch):
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


def evaluate_of_both_bad(model, batch):
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


def evaluate_of_another_bad(model, batch):
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


def evaluate_far_away_bad(model, batch):
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


def evaluate_optimizer_ok(optimizer, batch):
    if dist.get_rank() == 0:
        optimizer(batch)


def evaluate_inside_ok(model, batch):
    if dist.get_rank() == 0:
        model(batch)


def evaluate_either_ok(model, batch):
    inner = model.module if hasattr(model, "module") else model
    if dist.get_rank() == 0:
        inner(batch)


def evaluate_by_option_ok(args, model, batch):
    if not args.distributed and dist.get_rank() == 0:
        model(batch)


def train(model, loader, batch):
    for item in loader:
        model(item).sum().backward()
    evaluate_far_away_bad(model, batch)
    evaluate_either_ok(model, batch)
    model = model.module
    evaluate_inside_ok(model, batch)


def main(net, args, make_optimizer, loader, batch):
    model = build(net, args)
    evaluate_built_bad(model, batch)
    evaluate_by_option_ok(args, model, batch)
    train(model, loader, batch)


def main_of_both(net, make_optimizer, batch):
    model, optimizer = build_both(net, make_optimizer)
    evaluate_of_both_bad(model, batch)
    evaluate_optimizer_ok(optimizer, batch)


def main_of_another(net, args, batch):
    model = build_by_another(net, args)
    evaluate_of_another_bad(model, batch)


def evaluate_kept_bad(model, batch):
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


def evaluate_given_bad(model, batch):
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


class Base:
    def __init__(self, net):
        self.model = FSDP(net)


class Trainer(Base):
    def fit(self, batch):
        evaluate_kept_bad(self.model, batch)


class Evaluator:
    def __init__(self, model):
        self.model = model

    def run(self, batch):
        evaluate_given_bad(self.model, batch)


def main_with_objects(net, batch):
    model = FSDP(net)
    Evaluator(model).run(batch)
    Trainer(net).fit(batch)


class WrapsLater:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader

    def fit(self, batch):
        self.setup()
        for item in self.loader:
            self.model(item).sum().backward()
        self.evaluate_bad(batch)

    def setup(self):
        self.model = FSDP(self.model)

    def evaluate_bad(self, batch):
        if dist.get_rank() == 0:
            self.model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


class AsksForAnother:
    def __init__(self, model):
        self.model = model

    def fit(self, batch):
        self.setup()
        self.evaluate_bad(batch)

    def setup(self):
        self.model = FSDP(self.model)

    def evaluate_bad(self, batch):
        if isinstance(self.model, dict):
            print(len(self.model))
        elif dist.get_rank() == 0:
            self.model(batch)  # expect: [rank-guarded-collective] "`all_gather`"


class AsksWhatItKeeps:
    def __init__(self, model):
        self.model = model

    def fit(self, batch):
        self.setup()
        self.evaluate_ok(batch)

    def setup(self):
        self.model = FSDP(self.model)

    def evaluate_ok(self, batch):
        if isinstance(self.model, FSDP):
            self.model(batch)
        elif dist.get_rank() == 0:
            self.model(batch)  # silent: [asks-kind]
