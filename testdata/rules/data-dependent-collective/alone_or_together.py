"""What a process has that is the whole job is no rank's own: where there are several, they have the other."""
import os
import time

import torch.distributed as dist


def named_by_first(size):
    names = [time.strftime("%H%M%S") if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(names, src=0)
    return names[0]


def asked_ok(args):
    name = args.name if dist.get_world_size() > 1 else time.strftime("%H%M%S")
    if os.path.exists(os.path.join(args.folder, name)):
        return
    dist.barrier()


def from_the_launcher_ok(args):
    size = int(os.environ["WORLD_SIZE"])
    if size > 1:
        name = named_by_first(size)
    else:
        name = time.strftime("%H%M%S")
    if os.path.exists(os.path.join(args.folder, name)):
        return
    dist.barrier()


def by_a_default_ok(args):
    name = time.strftime("%H%M%S") if int(os.environ.get("WORLD_SIZE", 1)) == 1 else args.name
    if os.path.exists(os.path.join(args.folder, name)):
        return
    dist.barrier()


def in_large_ones_bad(args):
    name = args.name if int(os.environ["WORLD_SIZE"]) > 4 else time.strftime("%H%M%S")
    if os.path.exists(os.path.join(args.folder, name)):
        return  # expect: [data-dependent-collective] "a file of its own"
    dist.barrier()
