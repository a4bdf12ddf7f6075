# What an element of a list or of a dictionary is: one of what the text puts into it.
import torch.distributed as dist


def reduce_loss(loss):
    dist.all_reduce(loss)


def show_loss(loss):
    print(loss)


class Reduce:
    def on_end(self, loss):
        dist.all_reduce(loss)


class Show:
    def on_end(self, loss):
        print(loss)


BY_NAME = {"reduce": reduce_loss, "show": show_loss}
ONLY_SHOWN = {"show": show_loss}


def functions_of_a_list_bad(loss):
    hooks = [show_loss, reduce_loss]
    if dist.get_rank() == 0:
        for hook in hooks:
            hook(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def functions_of_a_list_ok(loss):
    hooks = [show_loss, reduce_loss]
    for hook in hooks:
        hook(loss)


def others_of_a_list_ok(loss):
    hooks = [show_loss, print]
    if dist.get_rank() == 0:
        for hook in hooks:
            hook(loss)


def values_bad(loss):
    if dist.get_rank() == 0:
        for hook in BY_NAME.values():
            hook(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def items_bad(loss):
    if dist.get_rank() == 0:
        for name, hook in BY_NAME.items():
            print(name)
            hook(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def values_ok(loss):
    if dist.get_rank() == 0:
        for hook in ONLY_SHOWN.values():
            hook(loss)
    for hook in BY_NAME.values():
        hook(loss)


class MadeByItself:
    def __init__(self):
        self.hooks = [Reduce(), Show()]

    def end_bad(self, loss):
        if dist.get_rank() == 0:
            for hook in self.hooks:
                hook.on_end(loss)  # expect: [rank-guarded-collective] "`all_reduce`"

    def end_ok(self, loss):
        for hook in self.hooks:
            hook.on_end(loss)


class Told:
    def __init__(self):
        self.hooks = []

    def register(self, hook):
        self.hooks.append(hook)

    def end_bad(self, loss):
        if dist.get_rank() == 0:
            for hook in self.hooks:
                hook.on_end(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


class OnlyShows:
    def __init__(self):
        self.hooks = []

    def register(self, hook):
        self.hooks.append(hook)

    def end_ok(self, loss):
        if dist.get_rank() == 0:
            for hook in self.hooks:
                hook.on_end(loss)


def register_all():
    told = Told()
    told.register(Show())
    told.register(Reduce())
    shows = OnlyShows()
    shows.register(Show())


def of_an_option_bad(loss, averages):
    hooks = [reduce_loss] if averages else []
    if dist.get_rank() == 0:
        for hook in hooks + [show_loss]:
            hook(loss)  # expect: [rank-guarded-collective]


def of_an_option_ok(loss, averages):
    hooks = [reduce_loss] if averages else []
    for hook in hooks + [show_loss]:
        hook(loss)
