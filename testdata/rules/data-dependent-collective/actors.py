"""A driver with a clock of its own, and workers that run as actors and are called through handles."""
import time

import ray
import torch.distributed as dist


class Policy:
    def train(self, batch):
        raise NotImplementedError


class Workers(Policy):
    def __init__(self, handles):
        self.handles = handles

    def train(self, batch):
        return ray.get([handle.train.remote(batch) for handle in self.handles])


class Worker(Policy):
    def train(self, batch):
        dist.all_reduce(batch)
        return batch


@ray.remote
class RemoteWorker(Worker):
    pass


def drive_ok(policy: Policy, batches, limit):
    start = time.time()
    for batch in batches:
        if time.time() - start > limit:
            break
        policy.train(batch)


class Local(Worker):
    def run_bad(self, batches, limit):
        start = time.time()
        for batch in batches:
            if time.time() - start > limit:
                break  # expect: [data-dependent-collective] "`all_reduce`"
            self.train(batch)
