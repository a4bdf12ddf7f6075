"""A file that all ranks ask for is there for all or for none, most of the time; one that is named after the host, or lies on
a disk of the node, is not."""
import os
import socket
import tempfile

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


def file_of_the_node_bad(x):
    if not os.path.exists("/tmp/prepared.flag"):
        dist.all_reduce(x)  # expect: [data-dependent-collective] "a file of its node"


def named_file_of_the_node_bad(name, x):
    if os.path.isfile(f"/dev/shm/{name}.ready"):
        dist.all_reduce(x)  # expect: [data-dependent-collective] "a file of its node"


def temporary_file_bad(x):
    cached = os.path.join(tempfile.gettempdir(), "statistics.pt")
    if not os.path.exists(cached):
        dist.all_reduce(x)  # expect: [data-dependent-collective] "a file of its own"


def folder_of_the_project(x):
    # Its name has `tmp` in it, and it lies beside the sources, for all.
    if os.path.exists("data/tmp/prepared.flag"):
        dist.all_reduce(x)  # silent: [alike-on-ranks]


def one_rank_looks_ok(x):
    ready = [os.path.exists("/tmp/prepared.flag")]
    dist.broadcast_object_list(ready, src=0)
    if ready[0]:
        dist.all_reduce(x)
