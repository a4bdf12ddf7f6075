"""A wrapped model that is run in a function of its own, on a batch that its caller has loaded."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def pass_if_finite(model, batch):
    loss = model(batch)
    if not torch.isfinite(loss):
        return
    loss.backward()


def handed_model_bad(net, dataset):
    model = DistributedDataParallel(net)
    for batch in DataLoader(dataset):
        pass_if_finite(model, batch)  # expect: [data-dependent-collective] "its batch"


class Trainer:
    def __init__(self, net, dataset, optimizer):
        self.model = DistributedDataParallel(net)
        self.loader = DataLoader(dataset)
        self.optimizer = optimizer

    def loss_of(self, batch):
        return self.model(batch)

    def pass_of(self, batch):
        loss = self.loss_of(batch)
        if torch.isnan(loss).any():
            self.optimizer.zero_grad()
            return
        loss.backward()
        self.optimizer.step()

    def train_bad(self):
        for batch in self.loader:
            self.pass_of(batch)  # expect: [data-dependent-collective] "its batch"

    def skip_bad(self):
        for batch in self.loader:
            loss = self.loss_of(batch)
            if torch.isnan(loss).any():
                continue  # expect: [data-dependent-collective] "`gradient_reduction`"
            loss.backward()
            dist.barrier()

    def vote_good(self):
        for batch in self.loader:
            loss = self.loss_of(batch)
            is_bad = torch.isnan(loss).any().float()
            dist.all_reduce(is_bad, op=dist.ReduceOp.MAX)
            if is_bad.item() > 0:
                continue
            loss.backward()
            self.optimizer.step()

    def keep_zero_good(self):
        for batch in self.loader:
            loss = self.loss_of(batch)
            if torch.isnan(loss).any():
                loss = torch.nan_to_num(loss) * 0
            loss.backward()
            self.optimizer.step()
