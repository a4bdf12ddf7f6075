"""Models that are wrapped only where an argument says so that nobody gives."""
import os

import torch


class Model:
    def __init__(self, net, local_rank=-1):
        self.local_rank = local_rank
        self.net = net

    def parallel(self):
        if self.local_rank != -1:
            self.net = torch.nn.parallel.DistributedDataParallel(self.net)

    def predict(self, path):
        return self.net(torch.load(path))


class WrappedModel:
    def __init__(self, net, local_rank=-1):
        self.local_rank = local_rank
        self.net = net

    def parallel(self):
        if self.local_rank != -1:
            self.net = torch.nn.parallel.DistributedDataParallel(self.net)

    def predict(self, path):
        return self.net(torch.load(path))


def predict_alone_ok(net, folder):
    model = Model(net)
    model.parallel()
    for path in os.listdir(folder):  # silent: [unused-option]
        model.predict(path)


def predict_bad(net, folder, local_rank):
    model = WrappedModel(net, local_rank)
    model.parallel()
    for path in os.listdir(folder):  # expect: [unordered-iteration] "`broadcast`"
        model.predict(path)


class SwitchedModel:
    def __init__(self, net, process=-1):
        self.process = process
        self.net = net

    def parallel(self):
        if self.process != -1:
            self.net = torch.nn.parallel.DistributedDataParallel(self.net)

    def predict(self, path):
        return self.net(torch.load(path))


def predict_switched_bad(net, folder):
    model = SwitchedModel(net)
    model.process = int(os.environ["LOCAL_RANK"])
    model.parallel()
    for path in os.listdir(folder):  # expect: [unordered-iteration] "`broadcast`"
        model.predict(path)
