"""Collectives that are tried again where they fail."""
import queue
import time

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp


def by_break_bad(x):
    for attempt in range(3):
        try:
            dist.all_reduce(x)
            break
        except RuntimeError:  # expect: [exception-skips-collective] "once more"
            time.sleep(1)


def by_return_bad(x):
    while True:
        try:
            dist.barrier()
            return x
        except Exception as error:  # expect: [exception-skips-collective] "once more"
            print(error)


def sum_up(x):
    dist.all_reduce(x)
    return x


def in_each_epoch_bad(epochs, x):
    for epoch in range(epochs):
        for attempt in range(3):
            try:
                total = sum_up(x)
                break
            except RuntimeError:  # expect: [exception-skips-collective] "once more"
                time.sleep(1)
        print(epoch, total)


def each_round_ok(batches):
    for batch in batches:
        try:
            dist.all_reduce(batch)
        except ValueError:
            raise


def raised_ok(x):
    for attempt in range(3):
        try:
            dist.all_reduce(x)
            break
        except RuntimeError as error:
            raise SystemExit(1) from error


def group_tried_again_ok():
    for attempt in range(3):
        try:
            dist.init_process_group("nccl")
            break
        except RuntimeError:
            time.sleep(1)


def what_is_not_communicated_ok(path):
    for attempt in range(3):
        try:
            value = torch.load(path)
            break
        except OSError:
            time.sleep(1)
    dist.barrier()
    return value


def saved_again_ok(state, path):
    for attempt in range(3):
        try:
            dcp.save(state, checkpoint_id=path)
            break
        except RuntimeError:
            time.sleep(1)


def waited_for_ok(tasks):
    while True:
        try:
            task = tasks.get(timeout=1)
            if task is None:
                dist.barrier()
                break
        except queue.Empty:
            continue


def set_up_again_ok(x):
    while True:
        try:
            dist.all_reduce(x)
            break
        except RuntimeError:
            dist.destroy_process_group()
            dist.init_process_group("nccl")


def one_of_several_bad(x):
    for attempt in range(3):
        try:
            dist.all_reduce(x)
            break
        except (RuntimeError, OSError):  # expect: [exception-skips-collective] "once more"
            time.sleep(1)


def others_than_of_communication_ok(x):
    for attempt in range(3):
        try:
            dist.all_reduce(x)
            break
        except (TypeError, AttributeError):
            time.sleep(1)
