"""Whether there is a job, kept by a constructor: it is asked there, and is no setting that other code changes."""
import torch
import torch.distributed as dist


def is_distributed():
    return dist.is_available() and dist.is_initialized()


class Stopper:
    def __init__(self, batches):
        self.distributed = is_distributed()
        self.together = dist.is_initialized()
        self.batches = batches

    def over(self, score):
        stop = False
        if not self.distributed and score > 1.5:
            stop = True
        elif self.distributed:
            dist.all_reduce(score)
            if score > 1.5:
                stop = True
        return stop

    def run_ok(self, model, train_loader):
        for batch in train_loader:
            score = model(batch).sum()
            dist.all_reduce(torch.ones(1))
            if self.over(score):
                break

    def here_ok(self, model, train_loader):
        for batch in train_loader:
            score = model(batch).sum()
            if self.together:
                dist.all_reduce(score)
            if score > 1.5:
                break
            dist.all_reduce(torch.ones(1))

    def by_itself_bad(self, model, train_loader):
        for batch in train_loader:
            score = model(batch).sum()
            if self.distributed:
                dist.all_reduce(torch.ones(1))  # expect: [data-dependent-collective] "its batch"
            if score > 1.5:
                break


class Switched:
    """Other code sets it."""

    def __init__(self):
        self.reduces = dist.is_initialized()

    def reduce_ok(self, x):
        if self.reduces:
            dist.all_reduce(x)


def on_first_alone(switched, x):
    if dist.get_rank() == 0:
        switched.reduces = False
        switched.reduce_ok(x)
        switched.reduces = True


def main(model, train_loader):
    dist.init_process_group("nccl")
    stopper = Stopper(train_loader)
    stopper.run_ok(model, train_loader)
    stopper.here_ok(model, train_loader)
    stopper.by_itself_bad(model, train_loader)
