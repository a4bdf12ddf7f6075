import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.base = nn.Linear(width, width)

    def scale(self, batch):
        return batch * self.width

    def start(self):
        self.width = 1


class Trainer:
    def __init__(self, model, args):
        self.model = model
        self.distributed = args.distributed
        self.start()
        if self.distributed:
            self.model = torch.nn.parallel.DistributedDataParallel(self.model)
            dist.barrier()

    def start(self):
        self.model.start()  # before it is wrapped

    def step_bad(self, batch):
        data = self.model.scale(batch)  # expect: [wrapper-hides-member] "`self.model`"
        return self.model(data)

    def asked_ok(self, batch):
        if self.distributed:
            return self.model.module.scale(batch)
        return self.model.scale(batch)


class Longer(Trainer):
    def last_bad(self, batch):
        return self.model.scale(batch)  # expect: [wrapper-hides-member] "`scale`"


class Later:
    def __init__(self, model):
        self.model = model

    def prepare(self):
        self.model = nn.parallel.DistributedDataParallel(self.model)

    def load(self):
        self.model.start()

    def train_bad(self, batch):
        self.model.scale(batch)  # expect: [wrapper-hides-member] "`scale`"


def run_ok():
    later = Later(Net(1))
    later.load()
    later.prepare()
    later.train_bad(1)


class Base:
    def __init__(self, args):
        self.accelerator = Accelerator()
        self.model = self.make(args)

    def save_bad(self):
        self.model.base.bias.zero_()  # expect: [wrapper-hides-member] "`prepare`"

    def save_ok(self):
        self.accelerator.unwrap_model(self.model).base.bias.zero_()


class Derived(Base):
    def __init__(self, args, optimizer):
        super().__init__(args)
        self.model, self.optimizer = self.accelerator.prepare(self.model, optimizer)

    def make(self, args):
        return Net(args.width)


class OneProcess(Accelerator):
    pass


def on_one_process_ok(args):
    model = OneProcess().prepare(Net(args.width))
    return model.scale(1)


def prepared_bad(args, accelerator, optimizer, loader):
    model = Net(args.width)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    loader.start()
    return model.scale(1)  # expect: [wrapper-hides-member] "`prepare`"


class Unwrapping:
    def __init__(self, model):
        self.model = nn.parallel.DistributedDataParallel(model)

    def finish(self):
        self.model = self.model.module

    def use_ok(self, batch):
        return self.model.scale(batch)  # after finish, perhaps


class Given:
    def __init__(self, model):
        self.model = model

    def step_bad(self, batch):
        return self.model.scale(batch)  # expect: [wrapper-hides-member] "`scale`"


def given_ok(args):
    model = nn.parallel.DistributedDataParallel(Net(args.width))
    return Given(model)


class Property:
    def __init__(self, model):
        self._model = nn.parallel.DistributedDataParallel(model)

    @property
    def model(self):
        return self._model.module

    def step_ok(self, batch):
        return self.model.scale(batch)


def of_other_object_fn(args):
    later = Later(Net(args.width))
    later.prepare()
    later.model.scale(1)  # an attribute of another object is not followed


def sharded_by_accelerate_ok(args, plugin):
    accelerator = Accelerator(fsdp_plugin=plugin)
    model = Net(args.width)
    model = accelerator.prepare(model)
    return model.scale(args.batch)


def wrapped_by_accelerate_bad(args):
    accelerator = Accelerator(fsdp_plugin=None)
    model = Net(args.width)
    model = accelerator.prepare(model)
    return model.scale(args.batch)  # expect: [wrapper-hides-member] "`scale`"


class Job:
    def __init__(self, model):
        self.model = model

    def wrap(self):
        self.model = nn.parallel.DistributedDataParallel(self.model)

    def run_ok(self, batch):
        self.model.scale(batch)  # before it is wrapped
        self.wrap()


class Rounds:
    def __init__(self, model):
        self.model = model

    def wrap(self):
        self.model = nn.parallel.DistributedDataParallel(self.model)

    def run_bad(self, batches):
        for batch in batches:
            self.model.scale(batch)  # expect: [wrapper-hides-member] "`scale`"
            self.wrap()


class Fallback(Later):
    def grow_ok(self, batch):
        try:
            self.model.module.scale(batch)
        except:
            self.model.scale(batch)


class Restored:
    def __init__(self, model):
        self.model = model
        self.restore_ok()

    def restore_ok(self):
        self.model.start()  # before the derived class wraps it


class Wrapped(Restored):
    def __init__(self, model):
        super().__init__(model)
        self.wrap()

    def wrap(self):
        self.model = nn.parallel.DistributedDataParallel(self.model)


class Steps:
    def __init__(self, model):
        self.model = model

    def wrap(self):
        self.model = nn.parallel.DistributedDataParallel(self.model)

    def step_bad(self, batch):
        self.model.scale(batch)  # expect: [wrapper-hides-member] "`scale`"
        self.wrap()


def run_steps(batches, model):
    steps = Steps(model)
    for batch in batches:
        steps.step_bad(batch)
