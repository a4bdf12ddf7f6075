"""What fails on all ranks alike, and what some ranks alone try."""
import os

import torch
import torch.distributed as dist


def folder_ok(path, x):
    try:
        os.makedirs(path, exist_ok=True)
        dist.all_reduce(x)
    except OSError:  # silent: [alike-on-ranks]
        print("no folder")


def own_folder_bad(path, x):
    try:
        os.makedirs(f"{path}/{dist.get_rank()}", exist_ok=True)
        dist.all_reduce(x)
    except OSError:  # expect: [exception-skips-collective]
        print("no folder")


def state_below_ok(x):
    try:
        state = torch.load(os.getcwd() + "/state.pt")
        dist.all_reduce(x)
    except Exception:  # silent: [alike-on-ranks]
        state = {}
    return state


def loaded_otherwise_bad(x, is_main):
    try:
        state = torch.load("state.pt", map_location="gpu" if is_main else "cpu")
        dist.all_reduce(x)
    except Exception:  # expect: [exception-skips-collective]
        state = {}
    return state


def on_one_only(path, x):
    if dist.get_rank() == 0:
        try:
            torch.save(x, path)
            dist.all_reduce(x)  # expect: [rank-guarded-collective]
        except OSError:
            print("not saved")


def loaded_otherwise_by_property_bad(x, accelerator):
    try:
        state = torch.load("state.pt", map_location="gpu" if accelerator.is_local_main_process else "cpu")
        x = accelerator.reduce(x)
    except Exception:  # expect: [exception-skips-collective]
        state = {}
    return state


def save(path):
    with open(f"{path}/{dist.get_rank()}", "w") as file:
        file.write("x")
    dist.barrier()


# The others are not in the `try`: what the handler does is no matter.
def in_the_try_of_one_bad(path):
    if dist.get_rank() == 0:
        try:
            save(path)  # expect: [rank-guarded-collective]
        except OSError:
            print("not saved")


# All ranks of the tensor-parallel group are in the `try`.
def in_the_try_of_one_replica_bad(path, x, mesh):
    if mesh.get_local_rank("dp") == 0:
        try:
            with open(f"{path}/{dist.get_rank()}", "w") as file:
                file.write("x")
            dist.all_reduce(x, group=mesh.get_group("tp"))
        except OSError:  # expect: [exception-skips-collective]
            print("not saved")


def folder_with_parents_bad(path, x):
    try:
        path.mkdir(parents=True)  # expect-note: "fails on one rank"
        dist.all_reduce(x)
    except OSError:  # expect: [exception-skips-collective]
        print("no folder")


def folder_by_position_ok(path, x):
    try:
        os.makedirs(path, 0o755, True)
        dist.all_reduce(x)
    except OSError:  # silent: [alike-on-ranks]
        print("no folder")
