"""What is removed: a rank's own part of what all have, or the same by all."""
import os
import shutil
from pathlib import Path

import torch
import torch.distributed as dist


def chosen_by_a_sampler_ok(paths, sampler):
    dist.barrier()
    for i in sampler:
        path = paths[i]
        os.remove(path)


def chosen_by_the_size_bad(paths):
    dist.barrier()
    os.remove(paths[dist.get_world_size()])  # expect: [shared-file-written-by-all]


def of_its_own_folder_ok(root):
    dist.barrier()
    folder = Path(root) / f"rank{dist.get_rank()}"
    for path in folder.iterdir():
        path.unlink()


def clean(folder):
    shutil.rmtree(folder)


def handed_its_own_folder_ok(root):
    dist.barrier()
    clean(os.path.join(root, str(dist.get_rank())))


def where_there_is_no_job_ok(folder):
    if not os.environ.get("RANK"):
        shutil.rmtree(folder)
        return
    dist.init_process_group("nccl")
    dist.barrier()


def of_one_rank_ok(folder):
    if dist.get_world_size() == 1:
        shutil.rmtree(folder)
    else:
        dist.barrier()


def of_the_first_rank_ok(folder):
    if int(os.environ.get("RANK") or 0) == 0:
        shutil.rmtree(folder)
    dist.barrier()


class Cache:
    def drop(self):
        del self.index

    def clear_bad(self):
        self.index.close()
        shutil.rmtree("cache")  # expect: [shared-file-written-by-all]
        dist.barrier()


def write(path, step):
    torch.save(step, path)  # expect: [shared-file-written-by-all]


def another_argument_is_of_the_rank(root, step):
    dist.barrier()
    write(os.path.join(root, "last.pt"), step + dist.get_rank())


def where_one_failed_ok(folder, step):
    dist.barrier()
    try:
        step()
    except RuntimeError:
        shutil.rmtree(folder)
        raise


def where_all_find_nothing_bad(folder, step):
    dist.barrier()
    try:
        step()
    except ImportError:
        os.makedirs(folder)  # expect: [shared-file-written-by-all]


def remove(folder):
    shutil.rmtree(folder)  # expect: [shared-file-written-by-all]


def on_one_rank_and_then_on_all(root):
    if dist.get_rank() == 0:
        remove("scratch")
    remove(root)
    dist.barrier()


def save_and_wait(path, step):
    torch.save(step, path)
    dist.barrier()


def to_a_file_of_its_own_ok(root, step):
    save_and_wait(f"{root}/{dist.get_rank()}.pt", step)


def remove_all(folder):
    shutil.rmtree(folder)


def handed_on_unseen_ok(root):
    dist.barrier()
    given = [f"{root}/{dist.get_rank()}"]
    remove_all(*given)


class Worker:
    def __init__(self, root):
        self.folder = f"{root}/{dist.get_rank()}"
        self.scratch = f"{root}/{os.getpid()}"

    def clear_ok(self):
        dist.barrier()
        shutil.rmtree(self.folder)
        shutil.rmtree(self.scratch)


def make_below(root, *names):
    os.makedirs(os.path.join(root, *names))  # expect: [shared-file-written-by-all]


def made_by_all(root):
    make_below(root, "logs", "today")
    dist.barrier()


def write_below(root, *names):
    os.makedirs(os.path.join(root, *names))


def of_the_rank_below_ok(root):
    write_below(root, "logs", str(dist.get_rank()))
    dist.barrier()


def by_a_library_imported_there_bad(path):
    import os

    dist.barrier()
    os.remove(path)  # expect: [shared-file-written-by-all] "removes `path` at once"
