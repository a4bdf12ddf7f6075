"""Code that somebody else runs, at a moment of his own."""
import atexit
import functools
import logging
import signal
import threading
import time
import weakref
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader


class Buffer:
    def __init__(self, x):
        self.x = x

    def __del__(self):
        dist.barrier()  # expect: [collective-in-callback] "`barrier`"


class BufferWithClose:
    def __init__(self, x):
        self.x = x

    def close(self):
        dist.barrier()

    def __del__(self):
        self.x = None


def on_terminate(signum, frame):
    dist.barrier()  # expect: [collective-in-callback] "`barrier`"


def install_handler():
    signal.signal(signal.SIGTERM, on_terminate)


def at_exit():
    dist.all_reduce(torch.ones(1))  # expect: [collective-in-callback] "`all_reduce`"


atexit.register(at_exit)


def in_background(x):
    dist.all_reduce(x)  # expect: [collective-in-callback] "`all_reduce`"


def start_thread(x):
    threading.Thread(target=in_background, args=(x,), daemon=True).start()  # expect-note: "is handed over here"


def submitted(x):
    dist.broadcast(x, src=0)  # expect: [collective-in-callback] "`broadcast`"


def submit(x):
    with ThreadPoolExecutor() as pool:
        pool.submit(submitted, x)


def seed_worker(worker_id):
    dist.broadcast(torch.zeros(1), src=0)  # expect: [collective-in-callback] "`broadcast`"


def loader(dataset):
    return DataLoader(dataset, num_workers=4, worker_init_fn=seed_worker)


class Loader(DataLoader):
    """Of a loader's arguments one is run in its workers; the loader's methods run where they are called."""

    def save_ok(self):
        dist.barrier()


class RankFilter(logging.Filter):
    def filter(self, record):
        dist.barrier()  # expect: [collective-in-callback] "`barrier`"
        return True


class Lengths:
    def __init__(self, count):
        self.count = count

    @functools.cached_property
    def total(self):
        count = torch.tensor([self.count])
        dist.all_reduce(count)  # expect: [collective-in-callback] "`all_reduce`"
        return int(count.item())

    @functools.cached_property
    def group_ok(self):
        return dist.new_group(ranks=list(range(self.count)))

    @property
    def local(self):
        return self.count


def show(lengths, deadline):
    if time.time() > deadline:
        print(lengths.total)


class Pipeline:
    """What is kept is read by all ranks at the same places, so all compute it there."""

    def __init__(self, net, device):
        self.net = net
        self.device = device

    @functools.cached_property
    def model(self):
        return torch.nn.parallel.DistributedDataParallel(self.net.to(self.device))

    @functools.cached_property
    def optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, batch):
        self.optimizer.zero_grad()
        self.model(batch).sum().backward()
        self.optimizer.step()


class Report:
    """Has a model of its own, which is another."""

    def __init__(self, model):
        self.model = model

    def show(self):
        if dist.get_rank() == 0:
            print(self.model)


def show_model(report):
    """Nobody knows whose model it is."""
    if dist.get_rank() == 0:
        print(report.model)


class Prefetcher:
    """Each object's thread deals out batches on a group that the object has for it."""

    def __init__(self, loader, group):
        self.loader = iter(loader)
        self.group = group

    def start_ok(self):
        self.thread = threading.Thread(target=self.fetch, daemon=True)
        self.thread.start()

    def fetch(self):
        self.batch = self.deal_out()

    def deal_out(self):
        mine = [None]
        dist.scatter_object_list(mine, next(self.loader), group=self.group, group_src=0)
        return mine[0]


def finalised(group):
    dist.barrier(group=group)  # expect: [collective-in-callback] "`barrier`"


def attach(model, group):
    weakref.finalize(model, finalised, group)


def handler_that_sets_a_flag_ok(state):
    def handler(signum, frame):
        state.stop = True

    signal.signal(signal.SIGTERM, handler)


def agreed_in_the_main_loop_ok(state):
    flag = torch.tensor([int(state.stop)])
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)
    return bool(flag.item())


def thread_without_communication_ok(path, x):
    threading.Thread(target=torch.save, args=(x, path)).start()
    dist.barrier()


def exit_handler_without_communication_ok(path):
    atexit.register(print, "left", path)
    dist.barrier()


def gradient_hook(parameter):
    dist.all_reduce(parameter.grad)


def hooks_ok(model):
    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(gradient_hook)


class StepCallback:
    def on_step_end(self, x):
        dist.all_reduce(x)


def worker_with_local_seed_ok(dataset, seed):
    def worker(worker_id):
        torch.manual_seed(seed + worker_id)

    return DataLoader(dataset, num_workers=2, worker_init_fn=worker)


def teardown_at_exit_ok():
    atexit.register(dist.destroy_process_group)


def thread_that_is_waited_for_ok(download, x):
    done = torch.zeros(1)

    def wait_together():
        while not done.item():
            dist.broadcast(done, src=0)

    waiting = threading.Thread(target=wait_together, daemon=True)
    waiting.start()
    download()
    done.fill_(1)
    waiting.join(timeout=600)
    dist.all_reduce(x)


def thread_beside_the_main_one(x, y):
    def reduce_aside():
        dist.all_reduce(y)  # expect: [collective-in-callback] "a thread"

    aside = threading.Thread(target=reduce_aside)
    aside.start()
    dist.all_reduce(x)
    aside.join()


def kept_group():
    if not hasattr(kept_group, "made"):
        kept_group.made = dist.new_group()
    return kept_group.made


def watch(queue):
    while True:
        queue.put(dist.get_rank(kept_group()))  # silent: [made-when-used]


def watch_on_the_side_ok(queue):
    threading.Thread(target=watch, args=(queue,), daemon=True).start()


class Saver:
    def __init__(self):
        self.group = dist.new_group(backend="gloo")

    def save_aside_ok(self, state):
        pool = ThreadPoolExecutor(max_workers=1)

        def commit():
            state.result()
            dist.barrier(group=self.group)

        self.done = pool.submit(commit)
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while True:
            dist.barrier(group=self.group)


class Leader:
    """One process that the workers' loops wait for."""

    def __init__(self):
        atexit.register(self.dismiss_ok)

    def dismiss_ok(self):
        dist.broadcast_object_list([["stop"]], src=0)


def work_for_leader(handlers):
    while True:
        request = [None]
        dist.broadcast_object_list(request, src=0)
        handlers[request[0][0]]()


def tell_servants_to_stop():
    dist.barrier()
    dist.broadcast_object_list(["stop"], src=0)


def serve_until_told_ok(commands):
    while True:
        dist.barrier()
        dist.broadcast_object_list(commands, src=0)
        if commands[0] == "stop":
            break


def start_servants_ok(commands):
    if dist.get_rank() != 0:
        serve_until_told_ok(commands)
        return
    atexit.register(tell_servants_to_stop)


def reduce_bucket(queue, group):
    def reduce_next():
        dist.all_reduce(queue.get(), group=group)

    while True:
        reduce_next()


def start_reducers_ok(queues):
    for queue in queues:
        threading.Thread(target=reduce_bucket, args=(queue, dist.new_group()), daemon=True).start()


def worker_of_its_own_ok():
    dist.barrier()


def submit_to_processes(x):
    pool = ProcessPoolExecutor(max_workers=4)
    pool.submit(worker_of_its_own_ok)
