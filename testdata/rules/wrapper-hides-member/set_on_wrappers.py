"""What is set on the wrapper by hand is there, wherever the wrapper goes."""
from torch import nn


class Net(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.words = words
        self.width = len(words)


def show_ok(model):
    print(model.words)


def measure_bad(model):
    print(model.width)  # expect: [wrapper-hides-member] "`width`"


def train(args):
    net = Net(args.words)
    parallel = nn.parallel.DistributedDataParallel(net)
    parallel.words = net.words
    show_ok(parallel)
    measure_bad(parallel)


class Other(nn.Module):
    def words(self):
        return []


def of_another_class_bad():
    spread = nn.parallel.DistributedDataParallel(Other())
    print(spread.words())  # expect: [wrapper-hides-member] "`words`"
