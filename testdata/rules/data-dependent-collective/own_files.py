"""A file that all ranks ask for is there for all or for none, most of the time; one that is named after the host is not."""
import os
import socket

import torch.distributed as dist


def file_of_the_host_bad(x):
    if os.path.exists("/scratch/" + os.uname().nodename):
        dist.all_reduce(x)  # expect: [data-dependent-collective] "a file of its own"


def named_file_of_the_host_bad(x):
    if os.path.isfile(f"/scratch/{socket.gethostname()}/ready"):
        dist.all_reduce(x)  # expect: [data-dependent-collective] "a file of its own"


def joined_file_of_the_host_bad(folder, x):
    if not os.path.isdir(os.path.join(folder, socket.gethostname())):
        return None  # expect: [data-dependent-collective] "a file of its own"
    dist.all_reduce(x)
    return x


def file_of_all(path, x):
    if os.path.exists(path):
        dist.all_reduce(x)  # silent: [alike-on-ranks]


def file_of_the_rank_bad(folder, x):
    own = os.path.join(folder, f"rank{dist.get_rank():05d}", "batches.pkl")
    if os.path.exists(own):
        return None  # expect: [data-dependent-collective] "a file of its own"
    dist.all_reduce(x)
    return x


def agreed_ok(x):
    ready = x.new_tensor(os.path.exists("/scratch/" + socket.gethostname()))
    dist.all_reduce(ready)
    if ready.item():
        dist.all_reduce(x)
