"""Names that mean something else here."""
import asyncio
from collections import Counter
from functools import reduce

import numpy as np
import torch
import torch.distributed as dist


async def fetch_all(tasks):
    if dist.get_rank() == 0:
        return await asyncio.gather(*tasks)
    return []


def local_gather(x, index):
    if dist.get_rank() == 0:
        return torch.gather(x, 1, index) + x.gather(1, index).scatter(1, index, x)
    return x


def local_synchronise():
    if dist.get_rank() == 0:
        torch.cuda.synchronize()
        torch.cuda.current_stream().synchronize()


def numpy_broadcast(x):
    if dist.get_rank() == 0:
        return np.broadcast(x, x), torch.broadcast_to(x, (2, 2))
    return x


def local_reduce(numbers):
    if dist.get_rank() == 0:
        return reduce(lambda a, b: a + b, numbers), np.add.reduce(numbers)
    return 0


class Threads:
    def __init__(self, barrier):
        self.barrier = barrier


def thread_barrier(count):
    import threading

    gate = threading.Barrier(count)
    if dist.get_rank() == 0:
        gate.wait()


class FileSystem:
    def sync(self):
        print("flushed")

    def barrier(self):
        print("nothing to wait for")


def own_class(fs: FileSystem):
    if dist.get_rank() == 0:
        fs.sync()
        fs.barrier()


def counted(words):
    if dist.get_rank() == 0:
        return Counter(words).most_common(3)
    return []


def all_gather(items):
    return list(items)


def own_function_of_the_same_name(items):
    if dist.get_rank() == 0:
        return all_gather(items)
    return items


def socket_send(connection, data):
    if dist.get_rank() == 0:
        connection.send(data)
        connection.recv()
