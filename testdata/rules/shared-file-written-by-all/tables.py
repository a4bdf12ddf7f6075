"""Tables and data sets that all ranks write."""
import h5py
import numpy as np
import torch.distributed as dist
from datasets import load_dataset


def arrays_bad(parts, path):
    dist.barrier()
    np.savez(path, parts=parts)  # expect: [shared-file-written-by-all]


def data_set_bad(name, folder):
    dist.barrier()
    load_dataset(name).save_to_disk(folder)  # expect: [shared-file-written-by-all]


def one_table_bad(table, path):
    dist.barrier()
    table.to_parquet(path)  # expect: [shared-file-written-by-all]


def opened_to_read_ok(path):
    dist.barrier()
    with h5py.File(path, "r") as file:
        return file["x"][:]


def of_its_own_ok(parts, folder):
    dist.barrier()
    np.savez(f"{folder}/{dist.get_rank()}.npz", parts=parts)


def opened_to_write(path):
    dist.barrier()
    with h5py.File(path, "w") as file:  # silent: [written-alike]
        file["x"] = 1


def opened_to_add_bad(path):
    dist.barrier()
    with h5py.File(path, "a") as file:  # expect: [shared-file-written-by-all]
        file["x"] = 1


def opened_together_ok(path, world):
    dist.barrier()
    with h5py.File(path, "a", driver="mpio", comm=world) as file:
        file["x"] = 1
