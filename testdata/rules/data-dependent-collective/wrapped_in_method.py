# A method wraps the model, under the option under which the ranks agree when to stop.
import time
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Benchmark:
    def __init__(self, net, args):
        dist.init_process_group("nccl")
        self.args = args
        self.model = net
        self.start = time.time()

    def is_finished(self):
        done = int(time.time() - self.start >= self.args.duration)
        if self.args.parallel:
            flag = torch.IntTensor([done]).cuda()
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            done = flag.tolist()[0]
        return done == 1


class UnderTheOption(Benchmark):
    def prepare(self):
        if self.args.parallel:
            self.model = DDP(self.model)

    def train_ok(self, sample):
        while True:
            self.model(sample).backward()
            if self.is_finished():
                return


class ByEarlyReturn(Benchmark):
    def prepare(self):
        if not self.args.parallel:
            return
        self.model = DDP(self.model)

    def train_ok(self, sample):
        while True:
            self.model(sample).backward()
            if self.is_finished():
                return


class Always(Benchmark):
    def prepare(self):
        self.model = DDP(self.model)

    def train_bad(self, sample):
        while True:
            self.model(sample).backward()  # expect: [data-dependent-collective] "clock"
            if self.is_finished():
                return


class UnderAnotherOption(Benchmark):
    def prepare(self):
        if self.args.compiled:
            self.model = DDP(self.model)

    def train_bad(self, sample):
        while True:
            self.model(sample).backward()  # expect: [data-dependent-collective] "clock"
            if self.is_finished():
                return
