"""A model that is wrapped under an option, which all ranks have alike, is run as a wrapped one: in the runs that matter."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def run_on_one_bad(args, net, batch):
    if args.distributed:
        net = DDP(net, device_ids=[args.gpu])
    if dist.get_rank() == 0:
        net(batch)  # expect: [rank-guarded-collective] "`broadcast`"


def run_in_one_expression_bad(args, net, batch):
    model = DDP(net) if args.distributed else net
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`broadcast`"


def learned_on_one_bad(args, net, batch):
    if args.distributed:
        net = DDP(net)
    loss = net(batch).mean()
    if dist.get_rank() == 0:
        loss.backward()  # expect: [rank-guarded-collective] "`gradient_reduction`"


def call_on_one_bad(args):
    wait = dist.barrier if args.distributed else print
    if dist.get_rank() == 0:
        wait()  # expect: [rank-guarded-collective] "`barrier`"


class Losses:
    def __init__(self, kind):
        self.kind = kind

    def of(self, model, batch):
        out = model(batch)
        if self.kind == "mean":
            return {"loss": out.mean()}
        return {"loss": out.sum()}


def losses_elsewhere_bad(net, loader, kind):
    model = DDP(net)
    losses = Losses(kind)
    for batch in loader:
        loss = losses.of(model, batch)["loss"]
        if dist.get_rank() == 0:
            loss.backward()  # expect: [rank-guarded-collective] "`gradient_reduction`"


def run_on_all_ok(args, net, batch):
    if args.distributed:
        net = DDP(net)
    net(batch).mean().backward()


def what_is_inside_ok(args, net, batch):
    model = DDP(net) if args.distributed else net
    if dist.get_rank() == 0:
        net(batch)


def another_model_ok(net, teacher, loader):
    model = DDP(net)
    for batch in loader:
        model(batch).mean().backward()
        if dist.get_rank() == 0:
            teacher.fit(batch)


def train(model, batch):
    inner = model.module if hasattr(model, "module") else model
    print(inner.width)
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`broadcast`"


def train_if_wrapped(model, batch):
    if isinstance(model, (DDP, torch.nn.DataParallel)):
        print("wrapped")
    if dist.get_rank() == 0:
        model(batch)  # expect: [rank-guarded-collective] "`broadcast`"


def train_inside_ok(model, batch):
    model = model.module if isinstance(model, DDP) else model
    if dist.get_rank() == 0:
        model(batch)


def main(net, batch):
    model = DDP(net)
    train(model, batch)
    train_if_wrapped(model, batch)
    train_inside_ok(model, batch)


def inside_of_what_may_be_wrapped_ok(args, net, batch):
    if args.distributed:
        net = DDP(net)
    if dist.get_rank() == 0:
        inner = net.module if isinstance(net, DDP) else net
        inner(batch)


def inside_by_its_member_ok(args, net, batch):
    if args.distributed:
        net = DDP(net)
    inner = net
    if hasattr(inner, "module"):
        inner = inner.module
    if dist.get_rank() == 0:
        inner(batch)
