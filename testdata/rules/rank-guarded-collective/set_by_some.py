"""Attributes that only some ranks fill tell the ranks apart wherever they are asked for."""
import torch.distributed as dist


class Saver:
    def __init__(self, config):
        self.rank = dist.get_rank()
        self.writers = []
        self.log = None
        self.model = None
        self.group = None
        self.cache = None
        self.config = config

    def start(self, path, model):
        self.model = model
        if self.config.cached:
            self.cache = {}
        if dist.get_rank() == 0:
            self.log = open(path, "a")

    def save(self, process):
        if self.rank == 0:
            print("saving")
        self.config.wait()
        if self.rank == 0:
            self.writers.append(process)

    def join(self, ranks, group):
        if self.rank in ranks:
            self.group = group

    def all_written_bad(self, x):
        if len(self.writers) == 0:
            return True  # expect: [early-exit-before-collective] "`all_reduce`"
        dist.all_reduce(x)
        return x.item() == 0

    def any_written_bad(self, x):
        if self.writers:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"

    def logged_bad(self, x):
        if self.log is not None:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
            print(x, file=self.log)

    def not_logged_bad(self, x):
        if not self.log:
            return  # expect: [early-exit-before-collective] "`all_reduce`"
        dist.all_reduce(x)

    def logged_ok(self, x):
        dist.all_reduce(x)
        if self.log is not None:
            print(x, file=self.log)

    def has_model_ok(self, x):
        if self.model is not None:
            dist.all_reduce(x)

    def cached_ok(self, x):
        if self.cache is None:
            dist.all_reduce(x)

    def saved_twice_bad(self, x):
        if dist.get_rank() == 0:
            print("first")
        if self.rank == 0 and self.log is not None:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"

    def member_ok(self, x):
        if self.group is not None:
            dist.all_reduce(x, group=self.group)


class Sender:
    def __init__(self, name, servers):
        self.name = name
        self.servers = None
        self.group_name = None
        if dist.get_rank() == 0:
            self.servers = servers
        self.connect()

    def connect(self):
        if not self.servers:
            return
        self.group_name = self.name + "_servers"

    def send_to_servers_ok(self, x, groups):
        if not self.servers:
            return
        dist.broadcast(x, src=0, group=groups[self.group_name])


def open_on_first(path):
    if dist.get_rank() != 0:
        return None
    return open(path, "a")


class Logger:
    def __init__(self, path):
        self.rank = dist.get_rank()
        self.log = open(path) if self.rank == 0 else None
        self.other = open_on_first(path)
        self.enabled = False
        self.ready = False
        self.told = False
        if self.rank == 0:
            self.enabled = True
        self.ready = True

    def tell(self, config):
        if self.rank == 0:
            self.told = True
        self.told = config.told

    def logged_bad(self, x):
        if self.log is None:
            return  # expect: [early-exit-before-collective] "`all_reduce`"
        dist.all_reduce(x)

    def other_bad(self, x):
        if self.other is not None:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"

    def enabled_bad(self, x):
        if self.enabled:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"

    def ready_ok(self, x):
        if self.ready:
            dist.all_reduce(x)

    def told_ok(self, x):
        if self.told:
            dist.all_reduce(x)
