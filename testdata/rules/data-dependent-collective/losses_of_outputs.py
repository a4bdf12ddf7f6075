"""What is computed of a wrapped model's output in one function, and asked in another."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net, dataset, criterion):
        self.model = DistributedDataParallel(net)
        self.loader = DataLoader(dataset)
        self.criterion = criterion

    def output_of(self, inputs):
        return self.model(inputs)

    def loss_of(self, batch):
        inputs, labels = batch
        return self.criterion(self.output_of(inputs), labels)

    def loss_asked_bad(self):
        for batch in self.loader:
            loss = self.loss_of(batch)
            if torch.isnan(loss):
                continue  # expect: [data-dependent-collective] "`gradient_reduction`"
            loss.backward()

    def loss_made_here_bad(self):
        for inputs, labels in self.loader:
            loss = self.criterion(self.output_of(inputs), labels)
            if torch.isnan(loss):
                continue  # expect: [data-dependent-collective] "`gradient_reduction`"
            loss.backward()

    def reduced_good(self):
        for batch in self.loader:
            loss = self.loss_of(batch)
            total = loss.detach().clone()
            dist.all_reduce(total)
            if torch.isnan(total):
                continue
            loss.backward()

    def told_good(self):
        for batch in self.loader:
            loss = self.loss_of(batch)
            if torch.isnan(loss):
                print("not a number")
            loss.backward()


class Loop:
    def loss_of(self, batch):
        raise NotImplementedError

    def run_bad(self, loader):
        for batch in loader:
            loss = self.loss_of(batch)
            if torch.isnan(loss):
                continue  # expect: [data-dependent-collective] "`gradient_reduction`"
            loss.backward()


class Classification(Loop):
    def __init__(self, net):
        self.model = DistributedDataParallel(net)

    def loss_of(self, batch):
        inputs, labels = batch
        return torch.nn.functional.cross_entropy(self.model(inputs), labels)


class Process:
    def __init__(self, kind):
        self.kind = kind

    def losses(self, model, batch):
        out = model(batch)
        terms = {}
        if self.kind == "mean":
            terms["loss"] = out.mean()
        else:
            terms["loss"] = out.sum()
        return terms


def losses_of_a_process_bad(net, loader, kind):
    model = DistributedDataParallel(net)
    process = Process(kind)
    for batch in loader:
        loss = process.losses(model, batch)["loss"]
        if torch.isfinite(loss):
            loss.backward()  # expect: [data-dependent-collective] "its batch"
