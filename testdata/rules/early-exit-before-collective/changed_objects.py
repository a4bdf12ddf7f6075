"""Attributes that one rank changes in a method, or that an object changes for it, and that a loop asks later."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from scores import evaluate, limit


class Judge:
    """Stops when nothing has come better for a while; knows of no ranks."""

    def __init__(self, patience):
        self.patience = patience
        self.best = None
        self.waited = 0
        self.is_over = False

    def __call__(self, score):
        if self.best is None or score < self.best:
            self.best, self.waited = score, 0
        else:
            self.waited += 1
            if self.waited >= self.patience:
                self.is_over = True


class Mean:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def add(self, value):
        self.total += value
        self.count += 1

    def agree(self):
        sums = torch.tensor([self.total, self.count])
        dist.all_reduce(sums)
        self.total, self.count = sums.tolist()


class Fit:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.rank = dist.get_rank()
        self.stop, self.best = False, float("inf")

    def step_of_all(self, batch):
        dist.all_reduce(self.model(batch))

    def validate_on_first(self):
        if self.rank == 0:
            loss = evaluate(self.model)
            if loss > self.best:
                self.stop = True
            else:
                self.best = loss

    def tell(self):
        told = torch.tensor([int(self.stop)])
        dist.broadcast(told, src=0)
        self.stop = bool(told.item())

    def fit_bad(self, epochs):
        for epoch in range(epochs):
            if self.stop:
                break  # expect: [early-exit-before-collective] "`all_reduce`"
            self.step_of_all(epoch)
            self.validate_on_first()

    def fit_told_ok(self, epochs):
        for epoch in range(epochs):
            if self.stop:
                break
            self.step_of_all(epoch)
            self.validate_on_first()
            self.tell()

    def one_epoch(self, epoch):
        if self.stop:
            return
        self.step_of_all(epoch)

    def fit_in_parts_bad(self, epochs):
        for epoch in range(epochs):
            self.one_epoch(epoch)  # expect: [early-exit-before-collective] "`all_reduce`"
            self.validate_on_first()


def judged_by_first_bad(model, loader, epochs):
    judge = Judge(limit())
    for epoch in range(epochs):
        dist.all_reduce(model(epoch))  # expect: [rank-guarded-collective] "issued by ranks where `judge.is_over` is false and not by the other ranks"
        if dist.get_rank() == 0:
            judge(evaluate(model))
        if judge.is_over:
            break


def judged_by_all_ok(model, loader, epochs):
    judge = Judge(limit())
    for epoch in range(epochs):
        dist.all_reduce(model(epoch))
        judge(evaluate(model))
        if judge.is_over:
            break


def judged_by_own_loss_bad(model, loader, epochs):
    model = DistributedDataParallel(model)
    judge = Judge(limit())
    for epoch in range(epochs):
        total = 0.0
        for batch in loader:
            loss = model(batch).sum()
            loss.backward()
            total += loss.item()
        judge(total)
        if judge.is_over:
            break  # expect: [data-dependent-collective] "its batch"
        dist.barrier()


def judged_by_mean_ok(model, loader, epochs):
    model = DistributedDataParallel(model)
    judge = Judge(limit())
    for epoch in range(epochs):
        mean = Mean()
        for batch in loader:
            loss = model(batch).sum()
            loss.backward()
            mean.add(loss.item())
        mean.agree()
        judge(mean.total)
        if judge.is_over:
            break
        dist.barrier()


def judged_by_one_of_two_means_ok(model, loader, others, epochs):
    # Two that were made alike: what is done to the one says nothing of the other.
    model = DistributedDataParallel(model)
    own = Mean()
    agreed = Mean()
    for epoch in range(epochs):
        for batch in loader:
            own.add(model(batch).sum().item())
        agreed.add(evaluate(model))
        if agreed.total > 1:
            break
        dist.barrier()
