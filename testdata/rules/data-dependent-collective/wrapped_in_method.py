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


class MadeSo:
    def __init__(self, net, world_size=1):
        self.is_distributed = world_size > 1
        for self.turn in range(2):
            print(self.turn)
        self.model = net
        if self.is_distributed:
            if torch.cuda.is_available():
                self.model = DDP(net, device_ids=[0])
            else:
                self.model = DDP(net)
        self.start = time.time()

    def is_finished(self):
        done = torch.IntTensor([int(time.time() - self.start >= 10)])
        if self.is_distributed:
            dist.all_reduce(done, op=dist.ReduceOp.MAX)
        return done.item() == 1

    def train_ok(self, sample):
        while True:
            self.model(sample).backward()
            if self.is_finished():
                return

    def train_alone_bad(self, sample):
        while True:
            self.model(sample).backward()  # expect: [data-dependent-collective] "clock"
            if time.time() - self.start >= 10:
                return
