# Hooks that some ranks alone register with an object.
import torch.distributed as dist


class Hook:
    def before_train(self):
        pass

    def after_step(self):
        pass


class Average(Hook):
    def __init__(self, loss):
        self.loss = loss

    def after_step(self):
        dist.all_reduce(self.loss)


class Show(Hook):
    def after_step(self):
        print("step")


class Trainer:
    def __init__(self, hooks=()):
        self.hooks = list(hooks)

    def register(self, hook):
        self.hooks.append(hook)

    def register_all(self, hooks):
        self.hooks.extend(hooks)

    def train(self):
        for hook in self.hooks:
            hook.before_train()
            hook.after_step()


def registered_bad(loss):
    trainer = Trainer()
    trainer.register(Show())
    if dist.get_rank() == 0:
        trainer.register(Average(loss))
    trainer.train()  # expect: [rank-guarded-collective] "`all_reduce`"


def added_from_outside_bad(loss):
    trainer = Trainer([Show()])
    if dist.get_rank() == 0:
        trainer.hooks.append(Average(loss))
    trainer.train()  # expect: [rank-guarded-collective] "`all_reduce`"


def registered_ok(loss):
    trainer = Trainer()
    trainer.register(Average(loss))
    if dist.get_rank() == 0:
        trainer.register(Show())
    trainer.train()


def registered_list_ok(loss):
    trainer = Trainer()
    hooks = [Average(loss)]
    if dist.get_rank() == 0:
        hooks.append(Show())
    trainer.register_all(hooks)
    trainer.train()


def on_both_sides_ok(loss):
    trainer = Trainer()
    if dist.get_rank() == 0:
        trainer.register(Average(loss))
    else:
        trainer.register(Average(loss))
        trainer.register(Show())
    trainer.train()


def by_an_option_ok(loss, averages):
    trainer = Trainer()
    if averages:
        trainer.register(Average(loss))
    trainer.train()


# What a function that made an object put into its lists is not followed to its callers.
def build(loss):
    trainer = Trainer()
    if dist.get_rank() == 0:
        trainer.register(Average(loss))
    return trainer


def built_fn(loss):
    trainer = build(loss)
    trainer.train()


class Sorted:
    def __init__(self):
        self.hooks = []

    def register(self, hook, priority):
        hook.priority = priority
        inserted = False
        for i in range(len(self.hooks) - 1, -1, -1):
            if priority >= self.hooks[i].priority:
                self.hooks.insert(i + 1, hook)
                inserted = True
                break
        if not inserted:
            self.hooks.insert(0, hook)

    def train(self):
        for hook in self.hooks:
            hook.after_step()


# A list that is put in order by a loop is not followed.
def in_order_fn(loss):
    trainer = Sorted()
    if dist.get_rank() == 0:
        trainer.register(Average(loss), 10)
    trainer.train()


def in_order_ok(loss):
    trainer = Sorted()
    trainer.register(Average(loss), 10)
    if dist.get_rank() == 0:
        trainer.register(Show(), 20)
    trainer.train()


class Metrics:
    def __init__(self):
        self.seen = []

    def update(self, value):
        self.seen.append(value)

    def reduce(self):
        total = sum(self.seen)
        dist.all_reduce(total)
        return total


def numbers_ok(values):
    metrics = Metrics()
    if dist.get_rank() == 0:
        metrics.update(values)
    metrics.reduce()
