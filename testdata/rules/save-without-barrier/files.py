"""Files that one rank writes and all read."""
import os

import numpy as np
import oneflow as flow
import torch
import torch.distributed as dist
from peft import PeftModel


def read_at_once_bad(state, path):
    if dist.get_rank() == 0:
        torch.save(state, path)
    return torch.load(path, map_location="cpu")  # expect: [save-without-barrier] "`load`"


def index_bad(index, path):
    if dist.get_rank() == 0:
        np.save(path, index)
    return np.load(path)  # expect: [save-without-barrier] "`load`"


def fenced_ok(state, path):
    if dist.get_rank() == 0:
        torch.save(state, path)
    dist.barrier()
    return torch.load(path)


def fenced_by_a_helper_ok(state, path):
    if dist.get_rank() == 0:
        torch.save(state, path)
    wait_for_all()
    return torch.load(path)


def wait_for_all():
    dist.barrier()


def same_rank_reads_ok(state, path):
    if dist.get_rank() == 0:
        torch.save(state, path)
        return torch.load(path)
    return None


def other_file_ok(state, path, other):
    if dist.get_rank() == 0:
        torch.save(state, path)
    return torch.load(other)


def each_its_own_ok(state, path):
    torch.save(state, path)
    return torch.load(path)


def writer_leaves_ok(state, path, found):
    if not found and dist.get_rank() == 0:
        torch.save(state, path)
        return state
    return torch.load(path)


def fenced_by_another_library_ok(index, path):
    if dist.get_rank() == 0:
        np.save(path, index)
    synchronize()
    return np.load(path)


def synchronize():
    flow.comm.barrier()


def synchronised_device_bad(index, path):
    if dist.get_rank() == 0:
        np.save(path, index)
    torch.cuda.synchronize()
    return np.load(path)  # expect: [save-without-barrier] "`load`"


def saved_model_bad(model, base, folder):
    if dist.get_rank() == 0:
        model.save_pretrained(folder)
    return PeftModel.from_pretrained(base, folder)  # expect: [save-without-barrier] "`from_pretrained`"


def saved_model_ok(model, base, folder):
    if dist.get_rank() == 0:
        model.save_pretrained(folder)
    dist.barrier()
    return PeftModel.from_pretrained(base, folder)


def joined_bad(part, folder):
    rank = dist.get_rank()
    torch.save(part, os.path.join(folder, f"part_{rank}.pt"))
    if rank == 0:
        parts = []
        for i in range(dist.get_world_size()):
            parts.append(torch.load(os.path.join(folder, f"part_{i}.pt")))  # expect: [save-without-barrier] "on some ranks"
        return parts
    return None


def joined_ok(part, folder):
    rank = dist.get_rank()
    torch.save(part, os.path.join(folder, f"part_{rank}.pt"))
    dist.barrier()
    if rank == 0:
        return [torch.load(os.path.join(folder, f"part_{i}.pt")) for i in range(dist.get_world_size())]
    return None


def own_beside_settings_ok(part, folder):
    rank = dist.get_rank()
    torch.save(part, os.path.join(folder, f"part_{rank}.pt"))
    if rank == 0:
        return torch.load(os.path.join(folder, "settings.pt"))
    return None


def opened_bad(index, folder):
    path = os.path.join(folder, "index.txt")
    if dist.get_rank() == 0:
        with open(path, "w") as out:
            out.write(index)
    with open(path) as file:  # expect: [save-without-barrier] "`open`"
        return file.read()


def opened_after_the_barrier_ok(index, path):
    if dist.get_rank() == 0:
        with open(path, "w") as out:
            out.write(index)
    dist.barrier()
    with open(path) as file:
        return file.read()


def opened_to_add_ok(line, path):
    if dist.get_rank() == 0:
        with open(path, "w") as out:
            out.write(line)
    if dist.get_rank() == 0:
        with open(path, "a") as out:
            out.write(line)


def read_and_replaced_ok(path):
    with open(path) as file:
        text = file.read()
    if dist.get_rank() == 0:
        with open(path, "w") as out:
            out.write(text)
    return text


def set_up_between_ok(index, path):
    if int(os.environ["RANK"]) == 0:
        with open(path, "w") as out:
            out.write(index)
    dist.init_process_group("nccl")
    with open(path) as file:
        return file.read()


def by_methods_of_the_path_bad(index, folder):
    if dist.get_rank() == 0:
        (folder / "index.txt").write_text(index)
    return (folder / "index.txt").read_text()  # expect: [save-without-barrier] "`read_text`"


def opened_by_the_path_bad(index, folder):
    if dist.get_rank() == 0:
        with (folder / "index.txt").open("w") as out:
            out.write(index)
    with (folder / "index.txt").open() as file:  # expect: [save-without-barrier] "`open`"
        return file.read()


def other_of_the_folder_ok(index, folder):
    if dist.get_rank() == 0:
        with (folder / "index.txt").open("w") as out:
            out.write(index)
    with (folder / "words.txt").open() as file:
        return file.read()
