"""Flags that are made equal before they are tested."""
import os
import signal
import time

import torch
import torch.distributed as dist


def broadcast_before_the_branch(path, x):
    found = torch.tensor([int(dist.get_rank() == 0 and os.path.exists(path))])
    dist.broadcast(found, src=0)
    if found.item():
        dist.all_reduce(x)


def reduced_vote(stop, x):
    vote = torch.tensor([float(stop)])
    dist.all_reduce(vote, op=dist.ReduceOp.MAX)
    if vote.item() > 0:
        return False
    dist.all_reduce(x)
    return True


def object_list(reason, x):
    box = [reason if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(box, src=0)
    if box[0] is not None:
        dist.barrier()
        return box[0]
    dist.all_reduce(x)
    return None


def gathered_states(state, x):
    states = [None] * dist.get_world_size()
    dist.all_gather_object(states, state)
    if any(states):
        return
    dist.all_reduce(x)


def exit_by_duration(start, limit, x):
    done = torch.tensor([time.time() - start > limit], dtype=torch.int)
    dist.all_reduce(done, op=dist.ReduceOp.MAX)
    if bool(done.item()):
        return True
    dist.all_reduce(x)
    return False


def agree(flag):
    value = torch.tensor([int(flag)])
    dist.all_reduce(value, op=dist.ReduceOp.MIN)
    return bool(value.item())


def through_a_helper(path, x):
    if agree(os.path.exists(path)):
        dist.all_reduce(x)


class Canceller:
    def __init__(self):
        self.cancelled = False
        signal.signal(signal.SIGTERM, self._on_signal)

    def _on_signal(self, signum, frame):
        self.cancelled = True

    def check(self):
        value = torch.tensor([int(self.cancelled)])
        dist.all_reduce(value, op=dist.ReduceOp.MAX)
        self.cancelled = bool(value.item())
        return self.cancelled


def loop_until_cancelled(canceller: Canceller, batches, x):
    for batch in batches:
        if canceller.check():
            break
        x += batch
        dist.all_reduce(x)


def agree_on(value):
    if dist.is_available() and dist.is_initialized():
        agreed = torch.tensor(value)
        dist.broadcast(agreed, 0)
        return agreed.item()
    return value


def time_is_up(limit, begin):
    stop, extra = False, 0
    if dist.get_rank() == 0 and time.time() - begin > limit:
        stop, extra = True, 10
    stop = agree_on(stop)
    if stop:
        extra = agree_on(extra)
    return stop, extra


def loop_with_some_more_rounds(batches, x, limit, last):
    begin = time.time()
    step = 0
    for batch in batches:
        dist.all_reduce(x)
        step += 1
        stop, extra = time_is_up(limit, begin)
        if stop:
            last = min(last, step + extra)
        if step >= last:
            break
