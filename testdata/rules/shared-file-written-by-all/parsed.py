"""Paths that are parts of what is made in the same function."""
import argparse
import io
import os
import tempfile

import torch
import torch.distributed as dist


def saves_by_an_option_bad(scores):
    parser = argparse.ArgumentParser()
    parser.add_argument("--output")
    args = parser.parse_args()
    dist.init_process_group("nccl")
    torch.save(scores, os.path.join(args.output, "scores.pt"))  # expect: [shared-file-written-by-all] "every rank writes"


def saves_by_an_entry_bad(load, scores):
    settings = load("settings.json")
    dist.init_process_group("nccl")
    torch.save(scores, settings["output"])  # expect: [shared-file-written-by-all] "every rank writes"


def in_memory_ok(scores):
    buffer = io.BytesIO()
    torch.save(scores, buffer)
    dist.barrier()
    return buffer


def made_for_each_ok(scores):
    folder = tempfile.mkdtemp()
    torch.save(scores, os.path.join(folder, "scores.pt"))
    dist.barrier()
