# What an element of a list is, on the ranks whose list holds it.
import torch.distributed as dist


def average(loss):
    dist.all_reduce(loss)


def show(loss):
    print(loss)


class Average:
    def after_step(self, loss):
        dist.all_reduce(loss)


class Show:
    def after_step(self, loss):
        print(loss)


def one_more_bad(loss):
    hooks = [show]
    if dist.get_rank() == 0:
        hooks.append(average)
    for hook in hooks:
        hook(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def one_more_ok(loss):
    hooks = [average]
    if dist.get_rank() == 0:
        hooks.append(show)
    for hook in hooks:
        hook(loss)


def several_more_bad(loss):
    hooks = [Show()]
    if dist.get_rank() == 0:
        hooks.extend([Average(), Show()])
    for hook in hooks:
        hook.after_step(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def chosen_bad(loss):
    hooks = [average, show] if dist.get_rank() == 0 else [show]
    for hook in hooks:
        hook(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def chosen_ok(loss):
    hooks = [average, show] if dist.get_rank() == 0 else [average]
    for hook in hooks:
        hook(loss)


def of_an_option_ok(loss, averages):
    hooks = [show]
    if averages:
        hooks.append(average)
    for hook in hooks:
        hook(loss)


class Trainer:
    def __init__(self, callbacks):
        self.callbacks = callbacks

    def step(self, loss):
        for callback in self.callbacks:
            callback.after_step(loss)


# A list that was chosen is not followed through a constructor.
def handed_over_fn(loss):
    callbacks = [Show()]
    if dist.get_rank() == 0:
        callbacks.append(Average())
    trainer = Trainer(callbacks)
    trainer.step(loss)


def handed_over_ok(loss):
    callbacks = [Average()]
    if dist.get_rank() == 0:
        callbacks.append(Show())
    trainer = Trainer(callbacks)
    trainer.step(loss)


class Own:
    def __init__(self):
        self.hooks = []
        self.others = []
        self.rank = dist.get_rank()
        self.hooks.append(show)
        self.others.append(average)
        if self.rank == 0:
            self.hooks.append(average)
            self.others.append(show)

    # Of several that a constructor appends nothing is known.
    def step_fn(self, loss):
        for hook in self.hooks:
            hook(loss)

    def step_ok(self, loss):
        for hook in self.others:
            hook(loss)


class OnlyFirst:
    def __init__(self):
        self.hooks = []
        if dist.get_rank() == 0:
            self.hooks.append(average)

    def step_bad(self, loss):
        for hook in self.hooks:  # expect: [rank-dependent-loop] "`all_reduce`"
            hook(loss)
