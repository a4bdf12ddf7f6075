"""What takes long besides downloads, and time-outs that are made for it or not."""
import tarfile
from datetime import timedelta

import torch.distributed as dist
from torch.utils.cpp_extension import load
from transformers import AutoTokenizer


def start():
    dist.init_process_group("nccl", timeout=timedelta(minutes=5))


def tokenize_bad(dataset, encode):
    if dist.get_rank() == 0:
        dataset.map(encode, num_proc=8)  # expect: [long-work-before-collective] "for 5 minutes at most"
    dist.barrier()


def of_a_list_ok(pool, numbers):
    if dist.get_rank() == 0:
        pool.map(abs, numbers)
    dist.barrier()


def compile_bad(x):
    if dist.get_rank() == 0:
        load(name="kernels", sources=["kernels.cu"])  # expect: [long-work-before-collective] "`load`"
    dist.all_reduce(x)  # expect-note: "the others wait here"


def small_ok(name):
    if dist.get_rank() == 0:
        AutoTokenizer.from_pretrained(name)
    dist.barrier()


def by_itself_ok(name, x):
    # What only this rank does behind it nobody else waits in.
    if dist.get_rank() == 0:
        load(name="kernels", sources=["kernels.cu"])
        print(x)


def first_before_the_others_ok():
    if dist.get_rank() != 0:
        dist.barrier()
    if dist.get_rank() == 0:
        load(name="kernels", sources=["kernels.cu"])
    if dist.get_rank() == 0:
        dist.barrier()


def unpack_bad(path, folder):
    if dist.get_rank() == 0:
        with tarfile.open(path) as archive:
            archive.extractall(folder)  # expect: [long-work-before-collective] "`extractall`"
    dist.barrier()


def parts_of_texts_ok(table):
    if dist.get_rank() == 0:
        print(table["name"].str.extractall(r"([a-z]+)"))
    dist.barrier()
