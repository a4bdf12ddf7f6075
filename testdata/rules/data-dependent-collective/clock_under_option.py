# The clock is read under an option only, and under that option the ranks agree on what it said.
import time
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Base:
    def is_finished(self, step, now):
        if (self.args.duration > 0 and now - self.start >= self.args.duration) or step >= self.args.steps:
            return True
        return False


class Agreeing(Base):
    def __init__(self, net, args):
        dist.init_process_group("nccl")
        self.model = DDP(net)
        self.args = args
        self.start = time.time()

    def is_finished(self, step, now):
        done = int(super().is_finished(step, now))
        if self.args.duration > 0:
            flag = torch.IntTensor([done]).cuda()
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            done = flag.tolist()[0]
        return done == 1

    def train_ok(self, sample):
        step = 0
        while True:
            self.model(sample).backward()
            step += 1
            if self.is_finished(step, time.time()):
                return


class Alone(Base):
    def __init__(self, net, args):
        dist.init_process_group("nccl")
        self.model = DDP(net)
        self.args = args
        self.start = time.time()

    def train_bad(self, sample):
        step = 0
        while True:
            self.model(sample).backward()  # expect: [data-dependent-collective] "clock"
            step += 1
            if self.is_finished(step, time.time()):
                return
