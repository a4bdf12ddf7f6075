# Functions and objects that are put into a table or a list in one place and called out of it in another.
import torch.distributed as dist

AT_END = {}
ON_STEP = []


def at_end(name):
    def keep(function):
        AT_END[name] = function
        return function

    return keep


def on_step(function):
    ON_STEP.append(function)
    return function


@at_end("gather")
def gather_metrics(metrics):
    dist.all_reduce(metrics)


@at_end("show")
def show_metrics(metrics):
    print(metrics)


@on_step
def average(loss):
    dist.all_reduce(loss)


def entry_bad(metrics):
    if dist.get_rank() == 0:
        AT_END["gather"](metrics)  # expect: [rank-guarded-collective] "`all_reduce`"


def entry_ok(metrics):
    if dist.get_rank() == 0:
        AT_END["show"](metrics)
    AT_END["gather"](metrics)


def all_entries_bad(metrics):
    if dist.get_rank() == 0:
        for name, function in AT_END.items():
            function(metrics)  # expect: [rank-guarded-collective]


def list_bad(loss):
    if dist.get_rank() == 0:
        for function in ON_STEP:
            function(loss)  # expect: [rank-guarded-collective]


def list_ok(loss):
    for function in ON_STEP:
        function(loss)


class Registry:
    def __init__(self):
        self._functions = {}

    def register(self, name):
        def keep(function):
            self._functions[name] = function
            return function

        return keep

    def get(self, name):
        return self._functions[name]


METRICS = Registry()


@METRICS.register("accuracy")
def accuracy(right):
    dist.all_reduce(right)
    return right


@METRICS.register("count")
def count(right):
    return right


def registry_bad(right):
    if dist.get_rank() == 0:
        return METRICS.get("accuracy")(right)  # expect: [rank-guarded-collective]
    return None


def registry_ok(right):
    if dist.get_rank() == 0:
        print(METRICS.get("count")(right))
    return METRICS.get("accuracy")(right)


class Events:
    def __init__(self):
        self.listeners = {"step": [], "epoch": []}

    def on(self, event, function):
        self.listeners[event].append(function)

    def emit(self, event, loss):
        for function in self.listeners[event]:
            function(loss)


def step_done(loss):
    dist.all_reduce(loss)


def events_bad(loss):
    events = Events()
    events.on("step", step_done)
    if dist.get_rank() == 0:
        events.emit("step", loss)  # expect: [rank-guarded-collective]


def events_ok(loss):
    events = Events()
    events.on("step", step_done)
    events.emit("step", loss)


class Hook:
    def after_epoch(self, loss):
        pass

    def after_step(self, loss):
        pass


class Average(Hook):
    def after_epoch(self, loss):
        dist.all_reduce(loss)


class Show(Hook):
    def after_step(self, loss):
        print(loss)


class Runner:
    def __init__(self):
        self.hooks = []

    def register_hook(self, hook):
        self.hooks.append(hook)

    def call_hooks(self, name, loss):
        for hook in self.hooks:
            getattr(hook, name)(loss)


def hooks_by_name_bad(loss):
    runner = Runner()
    runner.register_hook(Average())
    runner.register_hook(Show())
    if dist.get_rank() == 0:
        runner.call_hooks("after_epoch", loss)  # expect: [rank-guarded-collective]


def hooks_by_name_ok(loss):
    runner = Runner()
    runner.register_hook(Average())
    runner.register_hook(Show())
    if dist.get_rank() == 0:
        runner.call_hooks("after_step", loss)
    runner.call_hooks("after_epoch", loss)


SHOWN = {}


def shown(function):
    SHOWN[function.__name__] = function
    return function


@shown
def show_loss(loss):
    print(loss)


def otherwise_bad(name, loss):
    if dist.get_rank() == 0:
        SHOWN.get(name, average)(loss)  # expect: [rank-guarded-collective]


def otherwise_ok(name, loss):
    if dist.get_rank() == 0:
        SHOWN.get(name, print)(loss)
