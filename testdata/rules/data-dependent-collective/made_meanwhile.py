import os
import shutil
from pathlib import Path

import torch
import torch.distributed as dist


def download_bad(fetch, url, path):
    if not os.path.exists(path):
        if dist.get_rank() == 0:
            fetch(url, path)
        dist.barrier()  # expect: [data-dependent-collective] "file system"


def build_index_bad(index, name):
    file = Path(name)
    main = not dist.is_initialized() or dist.get_rank() == 0
    if not file.is_file():
        if main:
            torch.save(index, file)
        dist.barrier()  # expect: [data-dependent-collective] "file system"


def made_folder_bad(folder, wanted):
    if not os.path.exists(folder):
        if dist.get_rank() == 0:
            os.makedirs(folder, exist_ok=True)
    else:
        return folder  # expect: [data-dependent-collective] "file system"
    dist.barrier()
    return folder


def filled_folder_ok(folder, wanted):
    if not os.path.exists(folder):
        if dist.get_rank() == 0:
            os.makedirs(folder, exist_ok=True)
    elif len([f for f in os.listdir(folder) if f.endswith(".png")]) > wanted:
        return folder  # silent: [alike-on-ranks]
    dist.barrier()
    return folder


def agreed_before_ok(index, path):
    missing = not os.path.exists(path)
    dist.barrier()
    if missing and dist.get_rank() == 0:
        torch.save(index, path)
    dist.barrier()


def barrier_before_the_file_ok(index, path):
    if not os.path.exists(path):
        dist.barrier()  # silent: [alike-on-ranks]
        if dist.get_rank() == 0:
            torch.save(index, path)


def another_file_ok(index, path, log):
    if os.path.exists(path):
        if dist.get_rank() == 0:
            torch.save(index, log)
        dist.barrier()


def always_ok(fetch, url, path):
    if dist.get_rank() == 0 and not os.path.exists(path):
        fetch(url, path)
    dist.barrier()


def read_what_is_there_ok(merge, path):
    if not os.path.exists(path):
        raise ValueError(path)
    if dist.get_rank() == 0:
        merge(path)
    dist.barrier()


def all_met_before_it_is_made_ok(logits, path):
    if os.path.exists(path):
        return torch.load(path)
    dist.all_reduce(logits)
    if dist.get_rank() == 0:
        torch.save(logits, path)
    dist.barrier()


def folder_where_no_file_may_be_ok(save_shards, model, folder):
    if os.path.isfile(folder):
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    if dist.get_rank() == 0:
        save_shards(model, folder)
    dist.barrier()


def downloaded_from_ok(snapshot_download, name):
    if os.path.isdir(name):
        return name
    if dist.get_rank() == 0:
        snapshot_download(repo_id=name)
    dist.barrier()
    return snapshot_download(repo_id=name, local_files_only=True)


def read_or_made_bad(scan, load, root, groups):
    folder = os.path.join(root, f"plan_{groups}")
    if os.path.exists(folder):
        try:
            return load(folder)  # expect: [data-dependent-collective] "file system"
        except ValueError as error:
            print(error)
    if dist.get_rank() == 0:
        target = os.path.join(root, f"plan_{groups}")
        os.makedirs(target, exist_ok=True)
        torch.save(scan(root), os.path.join(target, "plan.pt"))
    dist.barrier()
    return load(folder)


def told_by_rank_zero_ok(scan, load, root, groups):
    folder = os.path.join(root, f"plan_{groups}")
    if dist.get_rank() == 0 and not os.path.exists(folder):
        os.makedirs(folder)
        torch.save(scan(root), os.path.join(folder, "plan.pt"))
    dist.barrier()
    return load(folder)


def another_folder_ok(scan, load, root):
    folder = os.path.join(root, "plan")
    if os.path.exists(folder):
        return load(folder)
    if dist.get_rank() == 0:
        target = os.path.join(root, "scan")
        os.makedirs(target, exist_ok=True)
    dist.barrier()
    return scan(root)


def label_in_rounds_ok(paths, model, group):
    for path in paths:
        if os.path.exists(path + ".idx"):
            continue
        labels = open_table(path)
        for batch in read(path):
            parts = model(batch)
            dist.all_gather(parts, batch, group=group)
            labels.add(parts)
        if dist.get_rank() == 0:
            labels.finish(path + ".idx")
        dist.barrier()


def label_and_meet_behind_bad(paths, model):
    for path in paths:
        if os.path.exists(path + ".idx"):
            continue  # expect: [data-dependent-collective] "`barrier`"
        if dist.get_rank() == 0:
            model.finish(path + ".idx")
        dist.barrier()


def read_or_make_ok(path, args):
    if os.path.exists(path):
        rows = read(path)
    else:
        if not args.folder and not args.file:
            raise ValueError("neither a folder nor a file is given")
        rows = convert(args.folder)
    if dist.get_rank() == 0:
        save(rows)
    dist.barrier()
    return rows


def folder_of_weights_bad(folder, name, url):
    path = folder + "stage1_" + name + ".pth"
    if os.path.exists(path):
        return torch.load(path)  # expect: [data-dependent-collective] "file system"
    if dist.get_rank() == 0:
        torch.hub.load_state_dict_from_url(url, model_dir=folder)  # expect: [long-work-before-collective] "`load_state_dict_from_url`"
    dist.barrier()
    return torch.load(path)


def joined_in_folder_bad(folder, name, url):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        if dist.get_rank() == 0:
            torch.hub.download_url_to_file(url, folder)  # expect: [long-work-before-collective] "`download_url_to_file`"
        dist.barrier()  # expect: [data-dependent-collective] "file system"
    return torch.load(path)


def another_folder_of_weights_ok(archive, folder, cache, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        if dist.get_rank() == 0:
            archive.download_url(name, cache)
        dist.barrier()


class Index:
    def __init__(self, path, notes):
        self.path, self.notes = path, notes

    def open_bad(self):
        if not os.path.exists(self.path):
            if dist.get_rank() == 0:
                self.build()
            dist.barrier()  # expect: [data-dependent-collective] "file system"
        return torch.load(self.path)

    def write_bad(self, rows):
        if not os.path.exists(self.path):
            if dist.get_rank() == 0:
                self.write(rows)
            dist.barrier()  # expect: [data-dependent-collective] "file system"

    def open_ok(self):
        if dist.get_rank() == 0 and not os.path.exists(self.path):
            self.build()
        dist.barrier()
        return torch.load(self.path)

    def describe_ok(self):
        if not os.path.exists(self.notes):
            if dist.get_rank() == 0:
                self.build()
            dist.barrier()

    def build(self):
        torch.save([1, 2, 3], self.path)

    def write(self, rows):
        with open(self.path, "w") as out:
            out.write(str(rows))


def removed_behind_the_look_bad(save_shards, path):
    if os.path.exists(path):
        if dist.get_rank() == 0:
            shutil.rmtree(path, ignore_errors=True)
        dist.barrier()  # expect: [data-dependent-collective] "file system"
    save_shards(path)


def removed_when_all_have_looked_ok(save_shards, path):
    if os.path.exists(path):
        dist.barrier()  # silent: [alike-on-ranks]
        if dist.get_rank() == 0:
            shutil.rmtree(path, ignore_errors=True)
    save_shards(path)


def another_one_removed_ok(save_shards, path, log):
    if os.path.exists(path):
        if dist.get_rank() == 0:
            os.remove(log)
        dist.barrier()  # silent: [alike-on-ranks]
    save_shards(path)


def by_another_name_bad(path):
    target = path
    if not os.path.exists(path):
        if dist.get_rank() == 0:
            os.makedirs(target)
        dist.barrier()  # expect: [data-dependent-collective] "file system"


def another_folder_by_its_name_ok(path, other):
    if not os.path.exists(path):
        path = other
        if dist.get_rank() == 0:
            os.makedirs(path)
        dist.barrier()  # silent: [alike-on-ranks]


class Cache:
    def __init__(self, root):
        self.file = os.path.join(root, "cache.pt")

    def fill(self, other):
        torch.save({}, self.file)

    def another_file_ok(self, other):
        if not os.path.exists(self.file):
            self.file = other
            if dist.get_rank() == 0:
                self.fill(other)
            dist.barrier()  # silent: [alike-on-ranks]

    def filled_through_an_alias_bad(self, other):
        file = self.file
        if not os.path.exists(file):
            if dist.get_rank() == 0:
                self.fill(other)
            dist.barrier()  # expect: [data-dependent-collective] "file system"


def text_of_its_own_ok(root, step):
    if not os.path.exists(f"{root}/done_{step}"):
        if dist.get_rank() == 0:
            os.makedirs(f"{root}/ckpt_{step}")
        dist.barrier()  # silent: [alike-on-ranks]


def same_text_bad(root, step):
    if not os.path.exists(f"{root}/ckpt_{step:03d}"):
        if dist.get_rank() == 0:
            os.makedirs(f"{root}/ckpt_{step:03d}")
        dist.barrier()  # expect: [data-dependent-collective] "file system"


def kept_for_a_failure_ok(fetch, path, fallback):
    target = fallback
    if not os.path.exists(path):
        if dist.get_rank() == 0:
            try:
                fetch(target)
                target = path
            except OSError:
                os.makedirs(target)
        dist.barrier()  # silent: [alike-on-ranks]


def next_round_another_ok(names, path):
    for name in names:
        if not os.path.exists(path):
            path = name
            if dist.get_rank() == 0:
                os.makedirs(path)
            dist.barrier()  # silent: [alike-on-ranks]


SHARED = "shared"


def make_shared():
    os.makedirs(SHARED)


def global_in_callee_bad():
    if not os.path.exists(SHARED):
        if dist.get_rank() == 0:
            make_shared()
        dist.barrier()  # expect: [data-dependent-collective] "file system"


def global_moved_on_ok(other):
    global SHARED
    if not os.path.exists(SHARED):
        SHARED = other
        if dist.get_rank() == 0:
            make_shared()
        dist.barrier()  # silent: [alike-on-ranks]


class Store:
    def __init__(self, path):
        self.path = path

    @staticmethod
    def make(store):
        os.makedirs(store.path)

    def other_store_ok(self, other):
        if not os.path.exists(self.path):
            if dist.get_rank() == 0:
                self.make(other)
            dist.barrier()  # silent: [alike-on-ranks]

    def this_store_bad(self):
        if not os.path.exists(self.path):
            if dist.get_rank() == 0:
                self.make(self)
            dist.barrier()  # expect: [data-dependent-collective] "file system"
