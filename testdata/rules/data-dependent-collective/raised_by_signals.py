"""Flags that a signal handler raises: the signal comes at another place on each rank."""
import signal

import torch
import torch.distributed as dist


class Preemptible:
    def __init__(self):
        self.is_over = False
        signal.signal(signal.SIGTERM, self.on_signal)

    def on_signal(self, number, frame):
        self.is_over = True

    def run_bad(self, steps, loss):
        for step in range(steps):
            if self.is_over:
                break  # expect: [data-dependent-collective] "a signal"
            dist.all_reduce(loss)

    def run_ok(self, steps, loss):
        for step in range(steps):
            over = torch.tensor(float(self.is_over))
            dist.all_reduce(over, op=dist.ReduceOp.MAX)
            if over.item() > 0:
                break
            dist.all_reduce(loss)


class Asked:
    """Whoever asks this one to stop is no signal."""

    def __init__(self):
        self.is_over = False

    def on_last(self, number, frame):
        self.is_over = True

    def run_ok(self, steps, loss):
        for step in range(steps):
            if self.is_over:
                break
            dist.all_reduce(loss)


wants_to_stop = False


def stop_soon(number, frame):
    global wants_to_stop
    wants_to_stop = True


def run_module_bad(steps, loss):
    signal.signal(signal.SIGUSR1, stop_soon)
    for step in range(steps):
        if wants_to_stop:
            break  # expect: [data-dependent-collective] "a signal"
        dist.all_reduce(loss)


def install(number, function):
    signal.signal(number, function)


class Installed:
    """Registered by a function that is handed the handler."""

    def __init__(self):
        self.is_over = False
        install(signal.SIGTERM, self.on_end)

    def on_end(self, number, frame):
        self.is_over = True

    def run_bad(self, steps, loss):
        for step in range(steps):
            if self.is_over:
                break  # expect: [data-dependent-collective] "a signal"
            dist.all_reduce(loss)


class Watch:
    """Watches for a signal while it is entered."""

    def __enter__(self):
        self._received = False

        def note(number, frame):
            self._received = True

        self.before = signal.signal(signal.SIGTERM, note)
        return self

    def __exit__(self, kind, error, trace):
        signal.signal(signal.SIGTERM, self.before)

    def received(self):
        return self._received

    def received_by_any(self):
        received = torch.tensor(float(self._received))
        dist.all_reduce(received, op=dist.ReduceOp.MAX)
        return received.item() > 0


def watch_bad(steps, loss):
    with Watch() as watch:
        for step in range(steps):
            if watch.received():
                break  # expect: [data-dependent-collective] "a signal"
            dist.all_reduce(loss)


def watch_ok(steps, loss):
    with Watch() as watch:
        for step in range(steps):
            if watch.received_by_any():
                break
            dist.all_reduce(loss)


class StopsTwice:
    """One flag ends the epoch and the run, and is told of both still, since two methods call the epoch."""

    def __init__(self):
        self.is_over = self.wants_report = False
        signal.signal(signal.SIGTERM, self.on_end)
        signal.signal(signal.SIGUSR1, self.on_report)

    def on_end(self, number, frame):
        self.is_over = True

    def on_report(self, number, frame):
        self.wants_report = True

    def epoch_bad(self, steps, loss):
        for step in range(steps):
            if self.is_over:
                return  # expect: [data-dependent-collective] "a signal"
            dist.all_reduce(loss)

    def run(self, epochs, steps, loss):
        for epoch in range(epochs):
            self.epoch_bad(steps, loss)
            if self.is_over:
                break
        dist.barrier()  # expect: [data-dependent-collective] "a signal"

    def report_bad(self, epochs, steps, loss):
        for epoch in range(epochs):
            self.epoch_bad(steps, loss)
            if self.wants_report:
                break
        dist.barrier()  # expect: [data-dependent-collective] "a signal"
