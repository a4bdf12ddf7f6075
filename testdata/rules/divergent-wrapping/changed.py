"""Models that are changed before they are wrapped."""
import copy

import torch.distributed as dist
from nets import Net
from torch.nn.parallel import DistributedDataParallel


def frozen_by_one_bad(net):
    if dist.get_rank() == 0:
        for p in list(net.parameters())[:2]:
            p.requires_grad_(False)  # expect: [divergent-wrapping] "which parameters are trained"
    return DistributedDataParallel(net)


def freeze(module):
    for p in module.parameters():
        p.requires_grad = False


class Trainer:
    def frozen_in_a_call_bad(self, rank):
        if dist.get_rank() != 0:
            freeze(self.net.head)  # expect: [divergent-wrapping] "which parameters are trained"
        self.model = DistributedDataParallel(module=self.net, device_ids=[rank])


def frozen_by_all_ok(net, is_frozen):
    if is_frozen:
        net.encoder.requires_grad_(False)
    return DistributedDataParallel(net)


def copy_all(source, module):
    for name, p in module.named_parameters():
        p.copy_(source[name]).requires_grad_(p.requires_grad)


def copied_by_one_ok(net, source):
    if dist.get_rank() == 0:
        copy_all(source, net)
    return DistributedDataParallel(net)


def another_model_ok(net, teacher):
    if dist.get_rank() == 0:
        teacher.requires_grad_(False)
    return DistributedDataParallel(net)


def when_trained_ok(net, batches):
    model = DistributedDataParallel(net)
    for batch in batches:
        model(batch).sum().backward()
    if dist.get_rank() == 0:
        net.requires_grad_(False)


def average_of_one_ok(net):
    if dist.get_rank() == 0:
        average = copy.deepcopy(net)
        for p in average.parameters():
            p.requires_grad_(False)
    return DistributedDataParallel(net)


def on_both_sides_ok(net):
    if dist.get_rank() == 0:
        print("frozen")
        freeze(net.encoder)
    else:
        freeze(net.encoder)
    return DistributedDataParallel(net)


def built_again_ok(build):
    if dist.get_rank() == 0:
        net = build()
        net.requires_grad_(False)
        print(net)
    net = build()
    return DistributedDataParallel(net)


def frozen_by_a_variable_bad(args):
    net = Net(args)
    net = net.cuda()
    if dist.get_rank() != 0:
        for parameter in list(net.parameters())[:2]:
            parameter.requires_grad_(False)  # expect: [divergent-wrapping] "which parameters are trained"
    return DistributedDataParallel(net)
