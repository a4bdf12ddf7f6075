"""Queues and events: those that the program itself fills and sets, and those that somebody else does."""
import queue
import signal
import threading

import torch
import torch.distributed as dist


class Worker:
    """Filled from a scatter, emptied by the same loop; the event follows a command that all ranks are told."""

    def __init__(self):
        self.items = queue.Queue()
        self.stopped = threading.Event()

    def fetch(self, pieces):
        mine = [None]
        dist.scatter_object_list(mine, pieces, src=0)
        for item in mine[0]:
            self.items.put(item)

    def command(self, told):
        dist.broadcast_object_list(told, src=0)
        if told[0] == "stop":
            self.stopped.set()

    def run(self, pieces, told, x):
        while not self.stopped.is_set():
            self.command(told)
            if self.items.empty():
                self.fetch(pieces)
            while self.items.qsize() > 0:
                x += self.items.get()
                dist.all_reduce(x)


class Loader:
    """Filled by a thread: how much lies there is a matter of the moment."""

    def __init__(self):
        self.ready = queue.Queue()
        threading.Thread(target=self.load, daemon=True).start()

    def load(self):
        while True:
            self.ready.put(torch.ones(1))

    def step(self, x):
        if self.ready.empty():
            return None  # expect: [data-dependent-collective] "`all_reduce`"
        dist.all_reduce(x)
        return x


class Stopper:
    """Set by a signal, which reaches ranks at different times."""

    def __init__(self):
        self.asked = threading.Event()
        signal.signal(signal.SIGTERM, self.ask)

    def ask(self, number, frame):
        self.asked.set()

    def run(self, batches, x):
        for batch in batches:
            if self.asked.is_set():
                break  # expect: [data-dependent-collective] "`all_reduce`"
            dist.all_reduce(x)


class Leader:
    """Set on the first rank alone."""

    def __init__(self):
        self.over = threading.Event()

    def watch(self, loss):
        if dist.get_rank() == 0 and loss > 10:
            self.over.set()

    def run(self, losses, x):
        for loss in losses:
            self.watch(loss)
            if self.over.is_set():
                break  # expect: [data-dependent-collective] "`all_reduce`"
            dist.all_reduce(x)


class Handed:
    """Given to a thread under another name."""

    def __init__(self):
        self.inbox = queue.Queue()
        threading.Thread(target=fill, args=(self.inbox,), daemon=True).start()

    def step(self, x):
        if not self.inbox.empty():
            x += self.inbox.get()
            dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"


def fill(box):
    while True:
        box.put(torch.ones(1))


def walk_tree_ok(root, children):
    """A queue of the function's own: what another function of the same project calls so is another."""
    q = queue.Queue()
    q.put(root)
    while not q.empty():
        for child in children[q.get()]:
            dist.new_group(child)
            q.put(child)


def feed(q):
    q.put(torch.ones(1))


def walk_what_a_thread_brings_bad(x):
    q = queue.Queue()
    threading.Thread(target=feed, args=(q,)).start()
    while not q.empty():  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x)
        q.get()
