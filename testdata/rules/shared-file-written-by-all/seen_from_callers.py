"""Conditions on what callers hand over: each is put in the callers' terms."""
import functools
import os
import shutil
import sys

import torch
import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter


def clear(folder, writer=None):
    if writer is not None:
        shutil.rmtree(folder)


def with_a_writer_of_one_rank_ok(folder):
    dist.barrier()
    if dist.get_rank() == 0:
        writer = SummaryWriter(folder)
    else:
        writer = None
    clear(folder, writer)


def open_log(folder, mode="a"):
    path = os.path.join(folder, "log.txt")
    if mode == "o":
        os.remove(path)
    return path


def appended_to_ok(folder):
    open_log(folder, mode="a")
    dist.barrier()


def begin_bad(folder, fresh):
    if fresh:
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"


def begun(folder):
    begin_bad(folder, True)
    dist.barrier()


def rank_and_size():
    if dist.is_initialized():
        rank = dist.get_rank()
        size = dist.get_world_size()
    else:
        rank = 0
        size = 1
    return rank, size


def main_process(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        rank, _ = rank_and_size()
        if rank == 0:
            return function(*args, **kwargs)

    return run


class Runner:
    def train(self, steps):
        for step in range(steps):
            self.save(step)
            dist.barrier()

    @main_process
    def save(self, step):
        torch.save({"step": step}, self.path)


def evaluate(folder, distributed, is_main_process):
    if distributed:
        dist.barrier()
        if not is_main_process():
            return {}
    write_scores(folder)


def write_scores(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)


def save_logs(args, folder):
    if args.save_logs:
        shutil.rmtree(folder)


def flagged_ok(args, folder):
    args.save_logs = args.logs != "none" and dist.get_rank() == 0
    dist.barrier()
    save_logs(args, folder)


def opened_bad(folder, scores):
    dist.barrier()
    with open(f"{folder}/scores.json", "a") as out:  # expect: [shared-file-written-by-all] "writes the file"
        out.write(scores)


def written_alike_ok(folder, scores):
    dist.barrier()
    with open(f"{folder}/scores.json", "w") as out:  # silent: [written-alike]
        out.write(scores)


def thrown_away_ok():
    dist.barrier()
    return open(os.devnull, "w")


def rank_in_the_name_ok(folder, scores):
    dist.barrier()
    with open(f"{folder}/scores-{dist.get_rank()}.json", "w") as out:
        out.write(scores)


def folder_of_rank(base):
    return os.path.join(base, str(dist.get_rank()))


def dump(folder, state):
    torch.save(state, os.path.join(folder, "state.pt"))


def each_its_own_ok(base, state):
    dump(folder_of_rank(base), state)
    dist.barrier()


def step_with(args, state):
    torch.save(state, args.out + "/state.pt")


def own_attribute_ok(args, state):
    args.out = os.path.join(args.out, str(dist.get_rank()))
    step_with(args, state)
    dist.barrier()


class Saver:
    def save(self, state):
        torch.save(state, "state.pt")


class Nothing:
    def save(self, state):
        pass


def chosen_by_rank_ok(state):
    saver = Saver() if dist.get_rank() == 0 else Nothing()
    saver.save(state)
    dist.barrier()


def others_are_gone_ok(state):
    dist.barrier()
    if dist.get_rank() != 0:
        raise SystemExit
    torch.save(state, "state.pt")


def first_one_first_ok(folder):
    if dist.get_rank() != 0:
        dist.barrier()
    if not os.path.exists(folder):
        os.makedirs(folder)
    if dist.get_rank() == 0:
        dist.barrier()


class Trace:
    def __init__(self, folder, rank):
        self.path = os.path.join(folder, f"trace_{rank}.bin")

    def flush_ok(self, data):
        dist.barrier()
        with open(self.path, "ab") as out:
            out.write(data)


class Runs:
    def train(self, splits, epochs):
        for epoch in range(epochs):
            self.step()
            if dist.get_rank() == 0:
                print(epoch)
            if len(splits) > 0:
                for split in splits:
                    if dist.get_rank() == 0:
                        self.save_bad(split)
            else:
                self.save_bad("last")
            dist.barrier()

    def save_bad(self, name):
        torch.save(self.state, f"{name}.pt")  # expect: [shared-file-written-by-all]


def draw(args, folder):
    if not args.parallel or args.gpu == 0:
        os.makedirs(folder)
    dist.barrier()


def work_bad(gpu, args):
    args.gpu = gpu
    dist.init_process_group("nccl", rank=gpu, world_size=args.size)
    draw(args, args.folder)
    os.makedirs(args.folder)  # expect: [shared-file-written-by-all] "makes the folder"


def start_work(args):
    torch.multiprocessing.spawn(work_bad, nprocs=args.size, args=(args,))


def begin_work_ok(args):
    os.makedirs(args.folder)  # one process, which starts the others
    if args.parallel:
        start_work(args)
    else:
        work_bad(0, args)


def wrapped(model, device):
    return torch.nn.parallel.DistributedDataParallel(model, device_ids=[device])


def sync_if_any():
    if dist.is_initialized():
        dist.barrier()


def rewrite_bad(path):
    os.makedirs(path)  # expect: [shared-file-written-by-all] "makes the folder"


def finetune(model, device, path):
    rewrite_bad(path)
    return wrapped(model, device)


def rewrite_maybe_ok(path):
    os.makedirs(path)


def draw_alone(path):
    rewrite_maybe_ok(path)
    sync_if_any()


def paint(args, folder):
    if not args.parallel or args.number == 0:
        os.makedirs(folder)
    dist.barrier()


def paint_steps_bad(args, folder):
    if args.steps == 0:
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"
    dist.barrier()


def run_painters(number, args, net):
    args.number = number
    args.steps = args.epochs * args.rounds
    dist.init_process_group("nccl", rank=number, world_size=args.size)
    net.configure(args)  # may change it
    painters = {"one": paint, "other": paint_steps_bad}
    painters[args.painter](args, args.folder)


def start_painters(args, net):
    torch.multiprocessing.spawn(run_painters, nprocs=args.size, args=(args, net))


def all_wait():
    if dist.get_world_size() > 1:
        dist.barrier()


def fill_cache_ok(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)


def read_all(folder):
    fill_cache_ok(folder)
    return os.listdir(folder)


def begin_with_cache(folder):
    if dist.get_rank() == 0:
        fill_cache_ok(folder)
    all_wait()
    return read_all(folder)


def fill_late_bad(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"


def begin_without_waiting(folder):
    dist.barrier()
    if dist.get_rank() == 0:
        fill_late_bad(folder)
    fill_late_bad(folder)


class Notes:
    def __init__(self, folder, rank_id=0):
        self.rank_id = rank_id
        self.folder = folder

    def _on_first(function):
        def inner(self, *args, **kwargs):
            if self.rank_id == 0:
                result = function(self, *args, **kwargs)
                return result
            else:
                pass

        return inner

    def _as_ever(function):
        def inner(self, *args, **kwargs):
            return function(self, *args, **kwargs)

        return inner

    @_on_first
    def begin_ok(self):
        os.makedirs("notes")

    @_as_ever
    def go_on_fn(self):
        os.makedirs("notes")  # each rank makes it, by way of what the decorator makes of the method


class Work:
    def __init__(self, config):
        self.gpu = config["local_rank"]
        self.notes = Notes("notes", config["rank"])
        self.notes.begin_ok()
        self.notes.go_on_fn()
        dist.barrier()
        self.draw_ok()

    def draw_ok(self):
        if self.gpu == 0:
            os.makedirs("drawn")
        dist.barrier()


def set_up_world(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)


def load_alone_ok(folder):
    set_up_world(0, 1)
    os.makedirs(folder)


def load_by_some_bad(folder, world_size):
    set_up_world(0, world_size)
    os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"


def fill_other_bad(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"


def begin_with_another(folder, other):
    dist.barrier()
    if dist.get_rank() == 0:
        fill_other_bad(other)
    dist.barrier()
    fill_other_bad(folder)


def fill_at_once_bad(folder):
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"


def begin_with_all(folder):
    dist.barrier()
    if dist.get_rank() == 0:
        fill_at_once_bad(folder)
    dist.barrier()
    fill_at_once_bad(folder)


def begin_at_once(folder):
    dist.barrier()
    fill_at_once_bad(folder)


def keep_last_bad(state, path):
    if os.path.exists(path):
        torch.save(state, path)  # expect: [shared-file-written-by-all] "`path`"


def begin_with_last(state, path):
    dist.barrier()
    if dist.get_rank() == 0:
        keep_last_bad(state, path)
    dist.barrier()
    keep_last_bad(state, path)


def on_first(function):
    def inner(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)

    return inner


class Prints:
    @on_first
    def begin_ok(self):
        os.makedirs("prints")

    def on_first(self):
        return self

    def start(self):
        dist.barrier()
        self.begin_ok()


class Output:
    def __init__(self, path_or_file):
        if isinstance(path_or_file, str):
            self.file = open(path_or_file, "at")
        else:
            self.file = path_or_file


def to_the_screen_ok():
    dist.barrier()
    return Output(sys.stdout)


def keep_ok(state, path_or_file):
    if not isinstance(path_or_file, str):
        torch.save(state, path_or_file)


def keep_in_folder(state, folder):
    dist.barrier()
    keep_ok(state, f"{folder}/last.pt")
