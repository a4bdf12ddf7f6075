"""Ranks that pick files by their number."""
import glob
import os
from pathlib import Path

import torch


def one_file_bad(folder, rank):
    files = os.listdir(folder)
    return torch.load(files[rank])  # expect: [unsorted-shards] "`files`"


def every_nth_bad(folder, rank, world_size):
    files = glob.glob(folder + "/*.pt")
    return [torch.load(f) for f in files[rank::world_size]]  # expect: [unsorted-shards] "`files`"


def sorted_ok(folder, rank):
    files = sorted(glob.glob(folder + "/*.pt"))
    return torch.load(files[rank])


def sorted_in_place_ok(folder, rank):
    files = os.listdir(folder)
    files.sort()
    return torch.load(files[rank])


def constant_index_ok(folder):
    files = os.listdir(folder)
    return torch.load(files[0])


def given_list_ok(files, rank):
    return torch.load(files[rank])


def own_entry_bad(folder, rank):
    return torch.load(os.listdir(folder)[rank])  # expect: [unsorted-shards] "the order of `os.listdir`"


def of_path_bad(folder, rank):
    files = list(Path(folder).iterdir())
    return torch.load(files[rank])  # expect: [unsorted-shards] "`files` comes from `iterdir`"


def of_path_ok(folder, rank):
    files = sorted(Path(folder).iterdir())
    return torch.load(files[rank])


def walked_bad(folder, rank):
    folders = list(os.walk(folder))
    return torch.load(folders[rank][0])  # expect: [unsorted-shards] "`folders` comes from `os.walk`"


def all_numbers_ok(folder):
    files = os.listdir(folder)
    for rank in range(len(files)):
        os.remove(files[rank])
