"""Who leaves the synchronisation of gradients out."""
import contextlib
import logging
import os
import time

import torch.distributed as dist
from torch.utils.data import DataLoader, IterableDataset
from tqdm import tqdm


def by_rank_bad(model, batch):
    context = model.no_sync() if dist.get_rank() == 0 else contextlib.nullcontext()  # expect: [no-sync-divergent] "`no_sync`"
    with context:
        model(batch).backward()


def by_the_clock_bad(model, batch, deadline):
    if time.time() < deadline:
        model.set_requires_gradient_sync(False)  # expect: [no-sync-divergent] "`set_requires_gradient_sync`"
    model(batch).backward()


def by_the_step_ok(model, batch, step):
    context = model.no_sync() if step % 4 else contextlib.nullcontext()
    with context:
        model(batch).backward()


def always_ok(model, batch):
    with model.no_sync():
        model(batch).backward()


def in_a_job_ok(model, batch, step, args):
    if step % 4 and int(os.environ.get("LOCAL_RANK", -1)) != -1:
        with model.no_sync():
            model(batch).backward()


def from_where_it_stopped_ok(model, loader, args):
    first = 0
    if os.path.isfile(args.checkpoint):
        first = len(model.load(args.checkpoint))
    for epoch in range(first, args.epochs):
        for step, batch in enumerate(loader):
            if step % 4:
                with model.no_sync():
                    model(batch).backward()


def batches_left_out_ok(model, loader, args):
    skipped = 0
    if os.path.isfile(args.checkpoint):
        skipped = len(model.load(args.checkpoint))
    for step, batch in enumerate(loader):
        if skipped > 0:
            skipped -= 1
            continue
        if step % 4:
            with model.no_sync():
                model(batch).backward()


class DealtOutLines(IterableDataset):
    def __init__(self, lines):
        self.lines = lines

    def __iter__(self):
        for i, line in enumerate(self.lines):
            if i % dist.get_world_size() == dist.get_rank():
                yield line


def in_rounds_of_dealt_out_lines_ok(model, lines):
    for step, batch in tqdm(enumerate(DataLoader(DealtOutLines(lines)))):
        if step % 4:
            with model.no_sync():
                model(batch).backward()


def numbered_from_the_rank_bad(model, loader):
    for step, batch in enumerate(loader, dist.get_rank()):
        if step % 4:
            with model.no_sync():  # expect: [no-sync-divergent] "`no_sync`"
                model(batch).backward()
        else:
            model(batch).backward()


def in_rounds_of_all_that_there_are_ok(model, loaders):
    for step, batch in enumerate(*loaders.values()):
        if step % 4:
            with model.no_sync():
                model(batch).backward()


def parts_of(batch, count):
    return [batch.part(i, count) for i in range(count)]


def up_to_the_last_part_ok(model, loader: DataLoader):
    for batch in loader:
        count = batch["count"]
        for i, part in enumerate(parts_of(batch, count)):
            context = model.no_sync() if i < count - 1 else contextlib.nullcontext()
            with context:
                model(part).backward()


def up_to_the_last_part_of_one_of_two_ok(model, loader: DataLoader):
    for batch in loader:
        count = batch["count"] if "count" in batch else len(batch["parts"])
        for i, part in enumerate(parts_of(batch, count)):
            with model.no_sync() if i < count - 1 else contextlib.nullcontext():
                model(part).backward()


def up_to_the_last_of_measured_rounds_ok(model, batch, deadline):
    rounds = int(deadline - time.time())
    for i in range(rounds):
        with model.no_sync() if i + 1 < rounds else contextlib.nullcontext():
            model(batch).backward()


def up_to_a_measured_number_bad(model, batches, deadline):
    for i, batch in enumerate(batches):
        with model.no_sync() if i < deadline - time.time() else contextlib.nullcontext():  # expect: [no-sync-divergent] "`no_sync`"
            model(batch).backward()


def after_a_batch_left_out_ok(model, loader):
    for step, batch in enumerate(loader):
        if batch.numel() and not os.path.exists("stop"):
            batch = batch.cuda()
        else:
            continue
        last = (step + 1) % 8 == 0
        with model.no_sync() if not last else contextlib.nullcontext():
            model(batch).backward()


def until_the_clock_says_so_ok(model, loader, deadline):
    for step, batch in enumerate(loader):
        if time.time() > deadline:
            break
        with model.no_sync() if step % 8 else contextlib.nullcontext():
            model(batch).backward()


def told_of(names):
    print("left out", names)


def after_a_word_about_what_is_left_out_ok(model, loader, verbose):
    for step, batch in enumerate(loader):
        if time.time() > 3:
            told_of(batch)
            if verbose:
                logging.info("left out")
            continue
        with model.no_sync() if step % 8 else contextlib.nullcontext():
            model(batch).backward()


def goes_on_without_it_bad(model, loader, deadline):
    for batch in loader:
        if time.time() > deadline:
            model(batch).backward()
            continue
        with model.no_sync():  # expect: [no-sync-divergent]
            model(batch).backward()
