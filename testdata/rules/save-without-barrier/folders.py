"""What is written into a folder that one rank makes."""
import os
from pathlib import Path

import torch
import torch.distributed as dist


def save_bad(folder, step, model, optimizer):
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(folder, exist_ok=True)
        torch.save(model, os.path.join(folder, f"model_{step}.pt"))
    torch.save(optimizer, os.path.join(folder, f"optimizer_{step}_{rank}.pt"))  # expect: [save-without-barrier] "folder"


def save_path_bad(folder, optimizer):
    folder = Path(folder)
    if dist.get_rank() == 0:
        folder.mkdir(exist_ok=True)
    torch.save(optimizer, folder / f"{dist.get_rank()}.pt")  # expect: [save-without-barrier] "folder"


def save_ok(folder, optimizer):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    dist.barrier()
    torch.save(optimizer, os.path.join(folder, f"{dist.get_rank()}.pt"))


def save_by_one_ok(folder, other, optimizer):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
        torch.save(optimizer, os.path.join(folder, "last.pt"))
    torch.save(optimizer, os.path.join(other, f"{dist.get_rank()}.pt"))


def made_by_all_ok(folder, optimizer):
    os.makedirs(folder, exist_ok=True)
    torch.save(optimizer, os.path.join(folder, f"{dist.get_rank()}.pt"))


def made_below_ok(folder, name, optimizer):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    os.makedirs(os.path.join(folder, name), exist_ok=True)
    torch.save(optimizer, os.path.join(folder, name, f"{dist.get_rank()}.pt"))


def resume_ok(folder):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    return torch.load(os.path.join(folder, "last.pt"))


def saved_by_the_first_ok(args, state):
    if args.do_train and (args.local_rank == -1 or dist.get_rank() == 0):
        if not os.path.exists(args.folder) and args.local_rank in [-1, 0]:
            os.makedirs(args.folder)
        torch.save(state, os.path.join(args.folder, "last.pt"))


def evaluate_on_one(args, results):
    if not os.path.exists(args.folder) and args.local_rank in [-1, 0]:
        os.makedirs(args.folder)
    with open(os.path.join(args.folder, "results.txt"), "w") as file:
        file.write(str(results))


def main_ok(args, results):
    if args.evaluates and args.local_rank in [-1, 0]:
        evaluate_on_one(args, results)


def made_by_each_for_its_share_ok(items, folder):
    rank = dist.get_rank()
    for item in items[rank :: dist.get_world_size()]:
        if not os.path.exists(folder):
            os.makedirs(folder)
        torch.save(item, os.path.join(folder, f"{item}_{rank}.pt"))
    torch.save(items, os.path.join(folder, f"all_{rank}.pt"))


def made_in_the_last_round_bad(items, folder):
    rank = dist.get_rank()
    for item in items:
        if rank == 0 and item.is_last:
            os.makedirs(folder, exist_ok=True)
    torch.save(items, os.path.join(folder, f"all_{rank}.pt"))  # expect: [save-without-barrier] "folder"
