"""Losses of a wrapped model that other functions compute: summed in a loop, moved to a device, of methods of the trainer."""
import torch
import torch.distributed as dist
from torch.autograd import Variable
from torch.nn.parallel import DistributedDataParallel


def summed(outputs, targets):
    total = 0
    for i in range(len(outputs)):
        total = total + torch.abs(outputs[i] - targets[i]).mean()
    return total / len(outputs)


def summed_loss_bad(net, loader):
    model = DistributedDataParallel(net)
    for x, y in loader:
        outputs = model(x)  # expect: [data-dependent-collective] "its batch"
        loss = summed(outputs, y)
        if torch.isnan(loss):
            continue
        loss.backward()


def counted(parts):
    total = 0
    for part in parts:
        total = total + len(part)
    return total


def counted_ok(net, loader, parts):
    model = DistributedDataParallel(net)
    for x, y in loader:
        loss = model(x)
        if counted(parts) > 100:
            continue
        loss.backward()


def averaged(outputs):
    total = 0
    for output in outputs:
        total = total + output.mean()
    dist.all_reduce(total)
    return total


def averaged_loss_ok(net, loader):
    model = DistributedDataParallel(net)
    for x, y in loader:
        outputs = model(x)
        loss = averaged(outputs)
        if torch.isnan(loss):
            continue
        loss.backward()


def old_variables_bad(net, loader):
    model = DistributedDataParallel(net)
    for x, y in loader:
        loss = model(Variable(x.cuda())).mean()  # expect: [data-dependent-collective] "its batch"
        if loss.item() > 100:
            continue
        loss.backward()


class Trainer:
    def __init__(self, net, loader, device):
        self.net = net
        self.model = DistributedDataParallel(net)
        self.loader = loader
        self.device = device

    def run_bad(self):
        for batch in self.loader:
            loss = self.loss_of(batch)
            if torch.isnan(loss):
                continue  # expect: [data-dependent-collective] "its batch"
            loss.backward()

    def loss_of(self, batch):
        data, mask, index = self.prepared(batch, self.device)
        steps = torch.rand(data.shape[0], 1, device=self.device)
        noisy = data + steps * mask
        return self.difference(self.model(noisy, steps), data, mask, index)

    def prepared(self, batch, device):
        data, mask, index = batch
        data = data.to(device)
        mask = mask.to(device)
        return data, mask, index

    def difference(self, outputs, data, mask, index):
        return torch.mean(torch.sum((1 - mask) * (outputs - data) ** 2))
