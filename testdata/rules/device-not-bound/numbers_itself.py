"""A program that writes down the number of its process is one process."""
import os

os.environ["LOCAL_RANK"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
import torch
import torch.distributed as dist


def main_ok():
    dist.init_process_group("nccl", init_method="env://")
    rank = dist.get_rank()
    torch.cuda.set_device(rank)  # silent: [started-alone]
