import typing

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.layer = nn.Linear(width, width)

    def loss(self, batch):
        return self.layer(batch).sum()

    def state_dict(self):
        return self.layer.state_dict()


def make(width):
    return Net(width)


def method_bad(args):
    model = Net(args.width)
    model = DDP(model)
    return model.loss(args.batch)  # expect: [wrapper-hides-member] "does not pass on `loss`"


def attribute_under_option_bad(args):
    model = make(args.width).cuda()
    if args.distributed:
        model = nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu])
    if args.verbose:
        print(model.width)  # expect: [wrapper-hides-member] "does not pass on `width`"


def data_parallel_bad(args):
    model = nn.DataParallel(Net(args.width)).cuda()
    return model.loss(args.batch)  # expect: [wrapper-hides-member] "`DataParallel`"


def other_name_bad(args):
    model = Net(args.width)
    parallel = typing.cast(Net, DDP(model))
    wrapped = torch.compile(parallel)
    model.loss(args.batch)
    return wrapped.loss(args.batch)  # expect: [wrapper-hides-member] "`wrapped`"


def wrap(model):
    if dist.is_initialized():
        model = DDP(model)
    return model


def returned_bad(args):
    model = wrap(Net(args.width))
    return model.loss(args.batch)  # expect: [wrapper-hides-member] "`loss`"


def class_not_known_bad(args, registry):
    model = registry[args.name](args)
    model = DDP(model)
    return model.loss(args.batch)  # expect: [wrapper-hides-member] "`loss`"


def same_option_bad(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
        print(model.width)  # expect: [wrapper-hides-member] "`width`"


def evaluate_bad(model, batch):
    return model.loss(batch)  # expect: [wrapper-hides-member] "`loss`"


def handed_over_ok(args):
    model = Net(args.width)
    model = DDP(model)
    evaluate_bad(model, args.batch)


def before_ok(args):
    model = Net(args.width)
    print(model.width)
    return DDP(model)


def own_members_ok(args):
    model = DDP(Net(args.width))
    model.train()
    model.state_dict()
    with model.no_sync():
        return model.module.loss(args.batch)


def no_member_of_the_model_ok(args):
    model = DDP(Net(args.width))
    return model.unheard_of(args.batch)


def without_wrapper_ok(args):
    model = Net(args.width)
    model_without_ddp = model
    if args.distributed:
        model = DDP(model)
        model_without_ddp = model.module
    return model(args.batch), model_without_ddp.loss(args.batch)


def taken_out_ok(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
    model(args.batch).backward()
    if isinstance(model, DDP):
        model = model.module
    return model.loss(args.batch)


def taken_out_by_call_ok(args, unwrap):
    model = DDP(Net(args.width))
    model = unwrap(model)
    return model.loss(args.batch)


def asked_ok(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
    inner = model.module if hasattr(model, "module") else model
    inner.loss(args.batch)
    if hasattr(model, "loss"):
        model.loss(args.batch)
    if not isinstance(model, DDP):
        model.loss(args.batch)


def is_parallel(model):
    return type(model) in (nn.DataParallel, DDP)


def asked_by_function_ok(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
    if not is_parallel(model):
        model.loss(args.batch)


def asserted_ok(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
    if args.export:
        assert args.batch > 1 and not args.distributed
        model.loss(args.batch)


def better_bad(args, evaluate):
    model = DDP(Net(args.width))
    score = evaluate(model)
    if score > args.best:
        print(model.width)  # expect: [wrapper-hides-member] "`width`"


def option_asked_ok(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
    if not args.distributed:
        return model.loss(args.batch)
    return model.module.loss(args.batch)


def other_option_ok(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
    if args.gpus > 1:
        return model.module.loss(args.batch)
    else:
        return model.loss(args.batch)


def caught_ok(args):
    model = DDP(Net(args.width))
    try:
        return model.loss(args.batch)
    except AttributeError:
        return model.module.loss(args.batch)


def caught_with_all_ok(args):
    model = DDP(Net(args.width))
    try:
        loss = model.loss
    except:
        loss = model.module.loss
    return loss(args.batch)


def raised_again_bad(args, log):
    model = DDP(Net(args.width))
    try:
        return model.loss(args.batch)  # expect: [wrapper-hides-member] "`loss`"
    except Exception as error:
        log(error)
        raise


def asked_in_expression_ok(args):
    model = Net(args.width)
    if args.distributed:
        model = DDP(model)
    print(model.module.width if args.gpus > 1 else model.width)
    print(model.width if not args.distributed else 0)
    if hasattr(model, "width") and model.width > 1:
        print("wide")


class Loader:
    def __init__(self, args, is_ddp):
        self.args = args
        self.is_ddp = is_ddp

    def model(self):
        model = Net(self.args.width)
        if self.is_ddp:
            model = DDP(model)
        return model

    def load(self):
        return self.args.batch, self.model()


def option_given_ok(args):
    batch, model = Loader(args, is_ddp=False).load()
    return model.loss(batch)


def option_given_bad(args):
    batch, model = Loader(args, is_ddp=True).load()
    return model.loss(batch)  # expect: [wrapper-hides-member] "`loss`"


def member_set_ok(args):
    model = DDP(Net(args.width))
    model.steps = 0
    return model.steps


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 1


def unwrap(model):
    while hasattr(model, "module"):
        model = model.module
    return model


def unwrapped_by_loop_ok(args):
    model = DDP(Net(args.width))
    return unwrap(model).loss(args.batch)


class Passing(DDP):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


def passed_on_ok(args):
    model = Passing(Net(args.width))
    return model.loss(args.batch)


def captured_fn(args):
    model = DDP(Net(args.width))

    def step(batch):
        return model.loss(batch)  # a variable of the function around it is not followed

    return step(args.batch)
