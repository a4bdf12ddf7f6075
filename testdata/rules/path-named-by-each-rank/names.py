"""Files and folders that each rank names by itself."""
import os
import secrets
import tempfile
import time
import uuid
from datetime import datetime
from pathlib import Path

import torch
import torch.distributed as dist


def by_the_clock_bad(root, model):
    dist.init_process_group("nccl")
    folder = os.path.join(root, datetime.now().strftime("%Y-%m-%d_%H-%M-%S"))
    os.makedirs(folder, exist_ok=True)  # expect: [path-named-by-each-rank] "names this folder after its own clock"
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), f"{folder}/last.pt")


def made_where_it_is_missing_bad(root, name):
    dist.barrier()
    stamp = time.strftime("%m%d%H%M")
    folder = f"{root}/{name}-{stamp}"
    if not os.path.exists(folder):
        os.makedirs(folder, exist_ok=True)  # expect: [path-named-by-each-rank]


def of_a_path_bad(root):
    dist.barrier()
    (Path(root) / time.strftime("%H%M%S")).mkdir(exist_ok=True)  # expect: [path-named-by-each-rank]


def drawn_at_random_ok(root):
    dist.barrier()
    (Path(root) / str(uuid.uuid4())).mkdir()
    os.makedirs(f"{root}/{time.time()}-{secrets.token_hex(4)}")


def path_of_a_text_bad(root):
    dist.barrier()
    folder = Path(f"{root}/{time.time()}")
    folder.mkdir(exist_ok=True)  # expect: [path-named-by-each-rank]


def put_into_a_text_bad(root):
    dist.barrier()
    now = datetime.now()
    folder = "{}/{}-{:02d}".format(root, now.hour, now.minute)
    os.makedirs(folder, exist_ok=True)  # expect: [path-named-by-each-rank]


def written_ok(root, options):
    dist.barrier()
    with open(f"{root}/{time.time_ns()}.txt", "w") as out:
        out.write(options)


def name_of_a_run(prefix):
    return prefix + "_" + time.strftime("%Y%m%d_%H%M%S")


def named_by_a_function_bad(root):
    dist.barrier()
    folder = os.path.join(root, name_of_a_run("test"))
    os.makedirs(folder, exist_ok=True)  # expect: [path-named-by-each-rank]


def prepare(root):
    folder = os.path.join(root, time.strftime("%H%M%S"))
    os.makedirs(folder, exist_ok=True)  # expect: [path-named-by-each-rank]


def train(root):
    prepare(root)
    dist.barrier()


def make(folder):
    os.makedirs(folder, exist_ok=True)


def handed_on_fn(root):
    make(os.path.join(root, time.strftime("%H%M%S")))
    dist.barrier()


def of_the_rank_ok(root):
    dist.barrier()
    os.makedirs(f"{root}/{time.time()}-{dist.get_rank()}", exist_ok=True)


def of_the_process_ok(root):
    dist.barrier()
    os.makedirs(f"{root}/{time.time()}-{os.getpid()}", exist_ok=True)


def of_a_variable_named_rank_ok(root, rank):
    dist.barrier()
    os.makedirs(f"{root}/{time.time()}-{rank}", exist_ok=True)


def told_by_one_ok(root):
    name = [time.strftime("%H%M%S")]
    dist.broadcast_object_list(name, src=0)
    os.makedirs(os.path.join(root, name[0]), exist_ok=True)


def made_by_one_ok(root):
    dist.barrier()
    if dist.get_rank() == 0:
        os.makedirs(os.path.join(root, time.strftime("%H%M%S")), exist_ok=True)


def made_by_one_and_used_by_all_bad(root):
    stamp = time.strftime("%H%M%S")
    if dist.get_rank() == 0:
        os.makedirs(f"{root}/{stamp}", exist_ok=True)
    dist.barrier()
    with open(f"{root}/{stamp}/log.txt") as log:  # expect: [path-named-by-each-rank] "this file"
        return log.read()


def rank_zero_only(function):
    def run(*args):
        if dist.get_rank() == 0:
            function(*args)

    return run


@rank_zero_only
def prepare_on_one(root):
    os.makedirs(os.path.join(root, time.strftime("%H%M%S")), exist_ok=True)


def by_a_decorator_ok(root):
    prepare_on_one(root)
    dist.barrier()


def without_a_job_ok(root):
    if not dist.is_initialized():
        os.makedirs(f"{root}/{time.time()}", exist_ok=True)
    else:
        dist.barrier()


def chosen_by_the_clock_ok(root):
    dist.barrier()
    old = [name for name in os.listdir(root) if os.path.getmtime(name) > time.time() - 3600]
    for name in old:
        open(os.path.join(root, name)).close()


def where_one_failed_ok(root, state, step):
    dist.barrier()
    try:
        step()
    except RuntimeError:
        torch.save(state, f"{root}/crash-{time.time()}.pt")
        raise


def of_a_temporary_folder_ok():
    dist.barrier()
    with open(f"{tempfile.mkdtemp()}/{time.time()}", "w") as log:
        log.write("x")


def named_either_way_bad(root, name):
    dist.barrier()
    stamp = time.strftime("%H%M%S")
    name = f"{name}_{stamp}" if name else stamp
    os.makedirs(os.path.join(root, name), exist_ok=True)  # expect: [path-named-by-each-rank]


def alone_ok(root):
    os.makedirs(os.path.join(root, time.strftime("%H%M%S")), exist_ok=True)
