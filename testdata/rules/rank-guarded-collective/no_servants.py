# Nowhere in the file do the others wait for what the root tells them.
import torch.distributed as dist


class Loop:
    """No servants: all ranks go through the loop, and it ends."""

    def told(self, task=None):
        tasks = [task]
        dist.broadcast_object_list(tasks, src=0)
        return tasks[0]

    def run(self, steps):
        for _ in range(steps):
            self.told()

    def close_bad(self):
        if dist.get_rank() == 0:
            self.told("stop")  # expect: [rank-guarded-collective] "`broadcast_object_list`"


class Worker:
    def run(self, command):
        dist.barrier()


def drive_and_tell_nobody_bad(worker, x):
    if dist.get_rank() != 0:
        worker.run(x)
        return  # expect: [early-exit-before-collective] "`broadcast_object_list`"
    worker.run(x)
    dist.broadcast_object_list([None], src=0)


def root_waits_bad(x, run):
    if dist.get_rank() == 0:
        while True:
            dist.broadcast(x, 0)  # expect: [rank-guarded-collective] "`broadcast`"
            run(x)


def until_told(model, stop):
    """All ranks go through it, the root too."""
    while True:
        dist.broadcast(stop, 0)
        if stop.item() == 1:
            break
        model.step()


def publish_bad(weights):
    if dist.get_rank() == 0:
        dist.broadcast(weights, 0)  # expect: [rank-guarded-collective] "`broadcast`"
