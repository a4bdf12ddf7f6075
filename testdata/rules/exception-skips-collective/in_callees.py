"""What fails beside a collective, in functions that stand in a `try`."""
import shutil

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def load(path):
    found = [None]
    if dist.get_rank() == 0:
        found = [torch.load(path)]
    dist.broadcast_object_list(found, src=0)
    return found[0]


def load_each_bad(paths):
    for path in paths:
        try:
            load(path)  # expect-note: "fails on one rank within"
        except FileNotFoundError:  # expect: [exception-skips-collective] "`broadcast_object_list`"
            continue


def load_or_raise_ok(path):
    try:
        return load(path)
    except FileNotFoundError:
        print("no such file")
        raise


def load_by_all(path):
    found = torch.load(path)
    dist.barrier()
    return found


def load_by_all_ok(path):
    try:
        return load_by_all(path)
    except FileNotFoundError:
        return None


def load_and_say(path):
    found = [None, None]
    if dist.get_rank() == 0:
        try:
            found = [torch.load(path), None]
        except OSError as error:
            found = [None, error]
    dist.broadcast_object_list(found, src=0)
    if found[1] is not None:
        raise found[1]
    return found[0]


def load_and_say_ok(paths):
    for path in paths:
        try:
            load_and_say(path)
        except OSError:
            continue


def prepare_by_all(folder):
    shutil.rmtree(folder)  # expect: [shared-file-written-by-all]
    dist.barrier()


def prepare_by_all_ok(folder):
    try:
        prepare_by_all(folder)
    except OSError:
        print("not there")


class Store:
    def write(self, state, path):
        if dist.get_rank() == 0:
            torch.save(state, path)
        dist.barrier()

    def write_last(self, state, path):
        dist.barrier()
        if dist.get_rank() == 0:
            torch.save(state, path)

    def keep_bad(self, state, path):
        try:
            self.write(state, path)
        except OSError as error:  # expect: [exception-skips-collective] "`barrier`"
            print("not saved", error)

    def keep_ok(self, state, path):
        try:
            self.write_last(state, path)
        except OSError as error:
            print("not saved", error)


class Task:
    def step(self, batch, model):
        loss = model(batch)
        loss.backward()
        return loss

    def weigh(self, batch):
        return batch.mean()


def train_bad(net, batches, optimizer):
    model = DDP(net)
    task = Task()
    for batch in batches:
        try:
            task.step(batch, model)
        except RuntimeError as error:  # expect: [exception-skips-collective] "`gradient_reduction` on `world`"
            if "out of memory" not in str(error):
                raise
            torch.cuda.empty_cache()
            continue
        optimizer.step()


class Trainer:
    def __init__(self, net, task: Task):
        self.model = DDP(net)
        self.task = task

    def train_bad(self, batches):
        for batch in batches:
            try:
                self.task.step(batch, self.model)
            except torch.cuda.OutOfMemoryError:  # expect: [exception-skips-collective] "`gradient_reduction`"
                print("left out")

    def weigh_ok(self, batches):
        for batch in batches:
            try:
                self.task.weigh(batch)
            except torch.cuda.OutOfMemoryError:
                print("left out")


def save_unless_skipped_ok(model, path, skipped):
    """What fails otherwise is raised again."""
    try:
        save(model, path)
    except Exception as e:
        if not isinstance(e, skipped):
            raise


def expects_failure_ok(model, path):
    try:
        save(model, path)
    except Exception as e:
        assert isinstance(e, RuntimeError)
        print(e)
