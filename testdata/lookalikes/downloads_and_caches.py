"""Who downloads, prepares and builds first, and how the others wait."""
import contextlib
import os

import torch
import torch.distributed as dist


@contextlib.contextmanager
def first_on_node():
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    if local_rank != 0:
        dist.barrier()
    yield
    if local_rank == 0:
        dist.barrier()


def download_ok(load, name):
    with first_on_node():
        return load(name)


def prepare_ok(dataset, prepare):
    if dist.get_rank() == 0:
        prepare(dataset)
    dist.barrier()
    return dataset.load()


def first_then_others_ok(load, name):
    if int(os.environ["LOCAL_RANK"]) == 0:
        load(name)
    dist.barrier()
    if int(os.environ["LOCAL_RANK"]) != 0:
        load(name)
    dist.barrier()


def cache_of_one_rank_ok(path, build):
    if not os.path.exists(path) and dist.get_rank() == 0:
        torch.save(build(), path)
    dist.barrier()
    return torch.load(path)


def lock_file_ok(path, build):
    done = path + ".done"
    if dist.get_rank() == 0 and not os.path.exists(done):
        build(path)
        open(done, "w").close()
    dist.barrier()
    return path


def folder_of_all_ok(folder):
    os.makedirs(folder, exist_ok=True)
    dist.barrier()
    return sorted(os.listdir(folder))


def shared_read_fails_alike_ok(model, path, accelerator):
    try:
        model.load_state_dict(torch.load(path)["model"])
    except Exception:
        accelerator.load_state(path)


def compiled_by_first_ok(build):
    if dist.get_rank() == 0:
        build()
    dist.barrier(device_ids=[torch.cuda.current_device()])
    import kernels

    return kernels


def vocabulary_told_ok(path, build):
    vocabulary = None
    if dist.get_rank() == 0:
        vocabulary = build(path)
    box = [vocabulary]
    dist.broadcast_object_list(box, src=0)
    if box[0] is None:
        raise ValueError(path)
    return box[0]


def failure_told_ok(path, read):
    error = [None]
    if dist.get_rank() == 0:
        try:
            read(path)
        except OSError as e:
            error[0] = str(e)
    dist.broadcast_object_list(error, src=0)
    if error[0]:
        raise RuntimeError(error[0])


def single_process_ok(path, build):
    if not dist.is_initialized() or dist.get_world_size() == 1:
        return build(path)
    if dist.get_rank() == 0:
        build(path)
    dist.barrier()
    return path


def env_checked_ok():
    if "RANK" not in os.environ:
        return 0, 1
    dist.init_process_group("gloo")
    dist.barrier()
    return dist.get_rank(), dist.get_world_size()


def checked_on_first_ok(rows, describe):
    # An assertion that fails ends the job.
    if dist.get_rank() == 0:
        assert all(row for row in rows), f"rows without data: {describe(rows)}"
        torch.save(rows, "rows.pt")
    dist.barrier()
