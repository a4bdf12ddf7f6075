"""Files that one rank writes in one function and all read in another."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def save_on_first(state, folder):
    if dist.get_rank() == 0:
        torch.save(state, os.path.join(folder, "best.pt"))


def save_and_wait(state, folder):
    if dist.get_rank() == 0:
        torch.save(state, os.path.join(folder, "best.pt"))
    dist.barrier()


def save(state, folder):
    torch.save(state, os.path.join(folder, "best.pt"))


def load(folder):
    return torch.load(os.path.join(folder, "best.pt"))


def wait_and_load(folder):
    dist.barrier()
    return load(folder)


def train_epoch(model, batch):
    DistributedDataParallel(model)(batch).sum().backward()


def saved_in_one_and_read_in_another_bad(model, batches, folder):
    for batch in batches:
        train_epoch(model, batch)
        save_on_first(model.state_dict(), folder)
    model.load_state_dict(load(folder))  # expect: [save-without-barrier] "`load` reads on every rank"
    dist.barrier()


def guarded_here_bad(model, folder):
    if dist.get_rank() == 0:
        save(model.state_dict(), folder)
    model.load_state_dict(load(folder))  # expect: [save-without-barrier] "`load` reads on every rank"
    dist.barrier()


def read_here_bad(model, folder):
    save_on_first(model.state_dict(), folder)
    model.load_state_dict(torch.load(os.path.join(folder, "best.pt")))  # expect: [save-without-barrier] "`load`"
    dist.barrier()


def waits_where_it_saves_ok(model, folder):
    save_and_wait(model.state_dict(), folder)
    model.load_state_dict(load(folder))
    dist.barrier()


def waits_where_it_loads_ok(model, folder):
    save_on_first(model.state_dict(), folder)
    model.load_state_dict(wait_and_load(folder))
    dist.barrier()


def waits_between_ok(model, batch, folder):
    save_on_first(model.state_dict(), folder)
    train_epoch(model, batch)
    model.load_state_dict(load(folder))


def another_folder_ok(model, folder, other):
    save_on_first(model.state_dict(), folder)
    model.load_state_dict(load(other))
    dist.barrier()


def read_before_ok(model, batch, folder):
    model.load_state_dict(load(folder))
    train_epoch(model, batch)
    save_on_first(model.state_dict(), folder)


def either_or_ok(model, batch, folder, resumes):
    train_epoch(model, batch)
    if not resumes:
        save_on_first(model.state_dict(), folder)
    if resumes:
        model.load_state_dict(load(folder))


def reads_on_first_ok(model, folder):
    save_on_first(model.state_dict(), folder)
    if dist.get_rank() == 0:
        model.load_state_dict(load(folder))
    dist.barrier()


# Nothing shows that several ranks run it.
def alone_ok(model, folder):
    save_on_first(model.state_dict(), folder)
    model.load_state_dict(load(folder))


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def save_on_master(*args, **kwargs):
    if is_main_process():
        torch.save(*args, **kwargs)


def handed_on_bad(model, output, batch):
    train_epoch(model, batch)
    path = os.path.join(output, "last.pt")
    save_on_master({"model": model.state_dict()}, path)
    model.load_state_dict(torch.load(os.path.join(output, "last.pt")))  # expect: [save-without-barrier] "`load`"


def handed_on_ok(model, output, batch):
    path = os.path.join(output, "last.pt")
    save_on_master({"model": model.state_dict()}, path)
    train_epoch(model, batch)
    model.load_state_dict(torch.load(os.path.join(output, "last.pt")))


class Trainer:
    def __init__(self, model, folder):
        self.model = DistributedDataParallel(model)
        self.folder = folder

    def keep(self):
        if dist.get_rank() == 0:
            torch.save(self.model.state_dict(), f"{self.folder}/best.pt")

    def restore(self):
        self.model.load_state_dict(torch.load(f"{self.folder}/best.pt"))

    def fit_bad(self, batches):
        for batch in batches:
            self.model(batch).sum().backward()
        self.keep()
        self.restore()  # expect: [save-without-barrier] "`restore` reads on every rank"

    def fit_ok(self, batches):
        for batch in batches:
            self.keep()
            self.model(batch).sum().backward()
        self.restore()


def main(model, batches, folder):
    dist.init_process_group("nccl")
    trainer = Trainer(model, folder)
    trainer.fit_bad(batches)
    trainer.fit_ok(batches)


def make_folder(folder):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)


def make_folder_and_wait(folder):
    make_folder(folder)
    dist.barrier()


def save_part(part, folder):
    torch.save(part, os.path.join(folder, f"part_{dist.get_rank()}.pt"))


def join_parts(folder):
    parts = []
    for i in range(dist.get_world_size()):
        parts.append(torch.load(os.path.join(folder, f"part_{i}.pt")))
    return parts


def folder_of_another_bad(part, folder):
    dist.barrier()
    make_folder(folder)
    save_part(part, folder)  # expect: [save-without-barrier] "`save_part` writes on every rank into a folder"


def folder_of_another_ok(part, folder):
    make_folder_and_wait(folder)
    save_part(part, folder)


def made_by_all_as_well_ok(part, folder):
    dist.barrier()
    make_folder(folder)
    os.makedirs(folder, exist_ok=True)
    save_part(part, folder)


def parts_joined_bad(part, folder):
    dist.barrier()
    save_part(part, folder)
    if dist.get_rank() == 0:
        return join_parts(folder)  # expect: [save-without-barrier] "`join_parts` reads on some ranks"
    return None


def parts_joined_ok(part, folder):
    save_part(part, folder)
    dist.barrier()
    if dist.get_rank() == 0:
        return join_parts(folder)
    return None


def load_if(folder, wanted):
    if wanted:
        return load(folder)
    return None


def save_if(state, folder, writes):
    if writes:
        save(state, folder)


def read_on_first_by_an_argument_ok(state, folder):
    rank = dist.get_rank()
    if rank == 0:
        save(state, folder)
    loaded = load_if(folder, rank == 0)
    dist.barrier()
    return loaded


def written_on_first_by_an_argument_bad(state, folder):
    dist.barrier()
    save_if(state, folder, dist.get_rank() == 0)
    return load(folder)  # expect: [save-without-barrier] "`load`"


def settings_in_each_epoch_ok(state, folder, epochs):
    rank = dist.get_rank()
    for epoch in range(epochs):
        torch.save(state, os.path.join(folder, f"{rank}_{epoch}.pt"))
        if rank == 0:
            torch.load(os.path.join(folder, "settings.pt"))


def labels_beside_features_ok(state, root, names):
    rank = dist.get_rank()
    torch.save(state, os.path.join(root, "features", f"{rank}.pt"))
    if rank == 0:
        for name in names:
            torch.load(os.path.join(root, "labels", name))


def share_on_first_bad(items, path):
    rank = dist.get_rank()
    if rank == 0:
        for item in items[rank :: dist.get_world_size()]:
            torch.save(item, path)
    return torch.load(path)  # expect: [save-without-barrier] "`load`"


def beside_the_folder_ok(state, folder):
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(folder, exist_ok=True)
    torch.save(state, folder + f"_{rank}.pt")
