"""What an object's constructor is given, asked for by its methods."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Reporter:
    def __init__(self, chatty):
        self.chatty = chatty

    def report(self, loss):
        if self.chatty:
            dist.all_reduce(loss)
            print(loss)


class Printer:
    def __init__(self, chatty):
        self.chatty = chatty

    def report(self, loss):
        dist.all_reduce(loss)
        if self.chatty:
            print(loss)


def told_the_rank_bad(losses):
    reporter = Reporter(dist.get_rank() == 0)
    for loss in losses:
        reporter.report(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def told_by_keyword_bad(loss):
    Reporter(chatty=dist.get_rank() == 0).report(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def handed_on_bad(loss):
    report(Reporter(dist.get_rank() == 0), loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def report(reporter: Reporter, loss):
    reporter.report(loss)


def told_an_option_ok(args, loss):
    Reporter(args.chatty).report(loss)


def reduced_by_all_ok(losses):
    printer = Printer(dist.get_rank() == 0)
    for loss in losses:
        printer.report(loss)


class Raw:
    def __init__(self, path, shared=False, sample=None):
        self.shared = shared
        self.path = path
        self.read()

    def read(self):
        if self.shared:
            dist.all_reduce(self.path)

    def save(self):
        if self.shared:
            dist.barrier()


class Table(Raw):
    def __init__(self, path, shared=False, sample=None):
        super().__init__(path, shared, sample)


def made_by_one_ok(path):
    if dist.get_rank() == 0:
        Raw(path)
    dist.barrier()


def made_by_one_bad(path):
    if dist.get_rank() == 0:
        Raw(path, shared=True)  # expect: [rank-guarded-collective] "`all_reduce`"
    dist.barrier()


def derived_made_by_one_ok(path):
    if dist.get_rank() == 0:
        Table(path)
    dist.barrier()


def derived_made_by_one_bad(path):
    if dist.get_rank() == 0:
        Table(path, True)  # expect: [rank-guarded-collective] "`all_reduce`"
    dist.barrier()


class Kept:
    def __init__(self, path, shared=False):
        self.shared = shared
        self.path = path

    def save(self):
        if self.shared:
            dist.barrier()


class KeptTable(Kept):
    def __init__(self, path, shared=False):
        super().__init__(path, shared)


class OldTable(Kept):
    def __init__(self, path, shared=False):
        Kept.__init__(self, path, shared)


def saved_by_one_ok(path):
    if dist.get_rank() == 0:
        KeptTable(path).save()
        OldTable(path).save()


def saved_by_one_bad(path):
    if dist.get_rank() == 0:
        KeptTable(path, shared=True).save()  # expect: [rank-guarded-collective] "`barrier`"


def saved_by_one_in_the_old_way_bad(path):
    if dist.get_rank() == 0:
        OldTable(path, True).save()  # expect: [rank-guarded-collective] "`barrier`"


class Bridge:
    def __init__(self, members, groups):
        self.members = members
        self.group = None
        if members:
            self.group = groups[members]

    def receive(self, x):
        dist.broadcast(x, src=0, group=self.group)


def made_further_down_ok(x, members, groups):
    bridge = Bridge(members, groups)
    if dist.get_rank() < 4:
        bridge.receive(x)


class Radio:
    def __init__(self, members):
        self.members = members
        self.group = None

    def receive(self, x):
        dist.broadcast(x, src=0, group=self.group)


def never_made_bad(x, members):
    radio = Radio(members)
    if dist.get_rank() < 4:
        radio.receive(x)  # expect: [rank-guarded-collective] "`broadcast` on `world`"


class Switch:
    def __init__(self, path):
        self.path = path
        self.shared = False
        if path:
            self.shared = path.is_dir()

    def save(self):
        if self.shared:
            dist.barrier()


def switched_on_further_down_bad(path):
    if dist.get_rank() == 0:
        Switch(path).save()  # expect: [rank-guarded-collective] "`barrier`"


class Maybe:
    def __init__(self, members, group=None):
        self.members = members
        self.group = None
        if group is not None:
            self.group = group

    def receive(self, x):
        dist.broadcast(x, src=0, group=self.group)


def of_no_group_bad(x, members):
    maybe = Maybe(members)
    if dist.get_rank() < 4:
        maybe.receive(x)  # expect: [rank-guarded-collective] "`broadcast` on `world`"


def of_some_group_ok(x, members, groups):
    maybe = Maybe(members, groups[0])
    if dist.get_rank() < 4:
        maybe.receive(x)


class Antenna(Maybe):
    def __init__(self, members, group):
        self.group = None
        super().__init__(members, group)


def of_the_group_of_its_base_ok(x, members, groups):
    antenna = Antenna(members, groups[0])
    if dist.get_rank() < 4:
        antenna.receive(x)


class Saver:
    def __init__(self, count):
        self.leads = dist.get_rank() < count // 4
        self.is_last = dist.get_rank() == count - 1

    def save(self, x):
        if self.leads:
            dist.all_reduce(x)

    def close(self, x):
        if self.is_last:
            dist.all_reduce(x)


def made_of_the_number_of_ranks_bad(x):
    saver = Saver(dist.get_world_size())
    saver.save(x)  # expect: [rank-guarded-collective] "issued by ranks where `self.leads` is true and not by the other ranks"


def last_of_the_number_of_ranks_bad(x):
    Saver(dist.get_world_size()).close(x)  # expect: [rank-guarded-collective] "issued by the last rank and not by the other ranks"


class Counter:
    def __init__(self, count):
        self.is_one = count == 1
        self.lead = dist.get_rank() == count

    def share(self, x):
        if self.is_one:
            dist.all_reduce(x)


def made_of_the_number_alone_ok(x):
    Counter(dist.get_world_size()).share(x)


class Trained:
    def __init__(self, model, world_size=1):
        self.model = model
        self.is_distributed = world_size > 1

    def test(self, total):
        if self.is_distributed:
            dist.all_reduce(total)
        return total


def alone_ok(model, total):
    if dist.get_rank() == 0:
        Trained(model).test(total)  # as the class says, and not as other things of that name do


def one_for_all_bad(model, total):
    trained = Trained(model, dist.get_world_size())
    if dist.get_rank() == 0:
        trained.test(total)  # expect: [rank-guarded-collective] "`all_reduce`"


class Wrapping:
    def __init__(self, model, world_size=1):
        self.is_distributed = world_size > 1
        self.model = model
        if self.is_distributed:
            self.model = DistributedDataParallel(model)

    def step(self, batch):
        return self.model(batch)


def alone_with_its_model_ok(model, batch):
    if dist.get_rank() == 0:
        Wrapping(model).step(batch)


def with_all_bad(model, batch):
    wrapping = Wrapping(model, dist.get_world_size())
    if dist.get_rank() == 0:
        wrapping.step(batch)  # expect: [rank-guarded-collective]
