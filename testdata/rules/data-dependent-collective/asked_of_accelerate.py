"""Accelerate says whether there is a job."""
from accelerate import Accelerator


class Stopper:
    def __init__(self):
        self.accelerator = Accelerator()
        self.distributed = self.accelerator.use_distributed

    def run_ok(self, model, train_loader):
        model = self.accelerator.prepare(model)
        for batch in train_loader:
            loss = model(batch).sum()
            self.accelerator.backward(loss)
            if self.distributed:
                loss = self.accelerator.reduce(loss)
            if loss > 3:
                break

    def run_alone_bad(self, model, train_loader):
        model = self.accelerator.prepare(model)
        for batch in train_loader:
            loss = model(batch).sum()
            self.accelerator.backward(loss)  # expect: [data-dependent-collective] "its batch"
            if loss > 3:
                break
