"""A small correct program in which every breach can be planted, and is found."""
import os

import torch
import torch.distributed as dist


def start():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")


def share(parameters):
    for parameter in parameters:
        dist.broadcast(parameter, src=0)


def average(loss):
    dist.all_reduce(loss)
    return loss / dist.get_world_size()


def overlapped(gradient, other):
    work = dist.all_reduce(gradient, async_op=True)
    other = other * 2
    work.wait()
    return gradient + other


class Reducer:
    def __init__(self):
        self.pending = []

    def start(self, gradients):
        for gradient in gradients:
            work = dist.all_reduce(gradient, async_op=True)
            self.pending.append((work, gradient))

    def finish(self, scale):
        while self.pending:
            entry = self.pending.pop()
            entry[0].wait()
            entry[1].div_(scale)


def share_nested(visit, data):
    def share_one(value):
        dist.broadcast(value, src=0)
        return value

    return visit(share_one, data)


def receive(source):
    size = torch.empty(1, dtype=torch.long)
    dist.recv(size, source)
    data = torch.empty(size.item(), dtype=torch.uint8)
    dist.recv(data, source)
    return data.tolist()


def make_groups(lists):
    groups = [dist.new_group(ranks) for ranks in lists]
    everybody = dist.new_group()
    return groups, everybody
