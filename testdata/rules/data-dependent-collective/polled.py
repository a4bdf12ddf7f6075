"""What each rank looks up anew in every round may change between one rank's look and another's."""
import os
import time

import torch.distributed as dist


def newest(folder):
    if not os.path.exists(folder):
        return -1
    return max(int(name) for name in os.listdir(folder))


def serve_bad(folder, generate):
    last = -1
    while True:
        number = newest(folder)
        if number == last:
            time.sleep(60)
        else:
            dist.all_reduce(generate(number))  # expect: [data-dependent-collective] "file system"
            last = number
        dist.barrier()


def train_bad(folder, batches, step):
    last = None
    for batch in batches:
        number = newest(folder)
        if number != last:
            dist.barrier()
            last = number
        dist.all_reduce(step(batch))  # expect: [data-dependent-collective] "file system"


def looked_once_ok(folder, batches, step):
    number = newest(folder)
    if number == -1:
        dist.barrier()
    for batch in batches:
        dist.all_reduce(step(batch))  # silent: [alike-on-ranks]


def agreed_ok(folder, generate):
    last = -1
    while True:
        found = [newest(folder)]
        dist.broadcast_object_list(found)
        if found[0] != last:
            dist.all_reduce(generate(found[0]))
            last = found[0]
        dist.barrier()
