"""Models that trainers keep: given one thing after another, wrapped under an option, wrapped in one of several ways."""
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


class Net(torch.nn.Module):
    def forward(self, x):
        return x


class OneAfterAnother:
    def __init__(self, dataset, criterion):
        self.model = Net()
        self.model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(self.model.cuda())
        self.model = DistributedDataParallel(self.model)
        self.loader = DataLoader(dataset)
        self.criterion = criterion

    def epoch_bad(self):
        for x, target in self.loader:
            output = self.model(x)  # expect: [data-dependent-collective] "its batch"
            loss = self.criterion(output[0], target)
            if not torch.isnan(loss).any():
                loss.backward()


class UnderAnOption:
    def __init__(self, dataset, criterion, distributed):
        self.distributed = distributed
        self.model = Net()
        if distributed:
            self.model = DistributedDataParallel(self.model)
        self.loader = DataLoader(dataset)
        self.criterion = criterion

    def epoch_fn(self):  # not found: whether it is wrapped is an option's choice, and the class is known
        for x, target in self.loader:
            output = self.model(x)
            loss = self.criterion(output, target)
            if not torch.isnan(loss).any():
                loss.backward()

    def evaluate_ok(self, x):
        if torch.distributed.get_rank() == 0:
            plain = self.model.module if self.distributed else self.model
            plain(x)


class NotWrapped:
    def __init__(self, dataset, criterion):
        self.model = DistributedDataParallel(Net())
        self.model = Net()
        self.loader = DataLoader(dataset)
        self.criterion = criterion

    def epoch_ok(self):
        for x, target in self.loader:
            output = self.model(x)
            loss = self.criterion(output, target)
            if not torch.isnan(loss).any():
                loss.backward()


def main(net, loader, criterion, args):
    model = net
    if args.distributed:
        if args.gpu is not None:
            torch.cuda.set_device(args.gpu)
            model = DistributedDataParallel(model.cuda(args.gpu), device_ids=[args.gpu])
        else:
            model = DistributedDataParallel(model.cuda())
    elif args.gpu is not None:
        model = model.cuda(args.gpu)
    train_bad(loader, model, criterion, args)
    evaluate_ok(loader, model, criterion, args)


def train_bad(loader, model, criterion, args):
    for x, target in loader:
        if args.gpu is not None:  # it says where the model lies, and not whether it is wrapped
            x = x.cuda(args.gpu, non_blocking=True)
        output = model(x)  # expect: [data-dependent-collective] "its batch"
        loss = criterion(output, target)
        if not torch.isnan(loss).any():
            loss.backward()


def evaluate_ok(loader, model, criterion, args):
    for x, target in loader:
        output = model(x)
        loss = criterion(output, target)
        if args.distributed:
            loss.backward()
        elif not torch.isnan(loss).any():
            loss.backward()


def one_or_the_other(generator, discriminator, loader, criterion, args):
    if args.generates:
        generator = DistributedDataParallel(generator)
    else:
        discriminator = DistributedDataParallel(discriminator)
    step_ok(loader, generator, criterion, args)


def step_ok(loader, model, criterion, args):
    for x, target in loader:
        loss = criterion(model(x), target)
        if args.generates:
            loss.backward()
        elif not torch.isnan(loss).any():
            loss.backward()


def started_under_an_option(loader, model, criterion, args):
    if args.distributed:
        model = DistributedDataParallel(model)
    shuffled_bad(loader, model, criterion, args)
    unwrapped_ok(loader, model, criterion, args)


def shuffled_bad(loader, model, criterion, args):
    if args.distributed:  # it says nothing of the model
        loader.sampler.set_epoch(0)
    for x, target in loader:
        output = model(x)  # expect: [data-dependent-collective] "its batch"
        loss = criterion(output, target)
        if not torch.isnan(loss).any():
            loss.backward()


def unwrapped_ok(loader, model, criterion, args):
    inner = model.module if args.distributed else model
    for x, target in loader:
        loss = criterion(inner(x), target)
        if not torch.isnan(loss).any():
            loss.backward()
