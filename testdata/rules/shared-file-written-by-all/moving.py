"""What is moved or linked: by all at once, by one, or each its own."""
import os
import shutil

import torch.distributed as dist


def renamed_by_all_bad(path):
    dist.barrier()
    os.rename(path, path + ".old")  # expect: [shared-file-written-by-all] "moves `path` at once"


def moved_after_a_look_bad(path, folder):
    dist.barrier()
    if os.path.exists(path):
        shutil.move(path, folder)  # expect: [shared-file-written-by-all] "a rank that finds it moved by another fails"


def linked_by_all_bad(target, link):
    dist.barrier()
    os.symlink(target, link)  # expect: [shared-file-written-by-all] "makes `link` at once"


def copied_by_all_bad(source, folder):
    dist.barrier()
    shutil.copytree(source, folder)  # expect: [shared-file-written-by-all] "makes `folder` at once"


def copied_over_what_is_there_ok(source, folder):
    dist.barrier()
    shutil.copytree(source, folder, dirs_exist_ok=True)


def linked_by_one_ok(target, link):
    if dist.get_rank() == 0:
        os.symlink(target, link)
    dist.barrier()


def replaced_by_its_own_ok(path):
    dist.barrier()
    own = f"{path}.{dist.get_rank()}"
    os.replace(own, path)


def linked_unless_it_fails_ok(target, link):
    dist.barrier()
    try:
        os.symlink(target, link)
    except FileExistsError:
        pass
