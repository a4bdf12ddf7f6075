"""A condition that is a part of the one around it: it alone decides who leaves."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def saved_on_one_and_left_by_all_ok(net, loader, most):
    model = DistributedDataParallel(net)
    step = 0
    for epoch in range(3):
        for x in loader:
            model(x)
            step += 1
            if dist.get_rank() == 0 or step >= most:
                print("saved")
                if step >= most:
                    break


def left_by_one_bad(net, loader, most):
    model = DistributedDataParallel(net)
    step = 0
    for epoch in range(3):
        for x in loader:
            model(x)  # expect: [divergent-collective-order]
            step += 1
            if dist.get_rank() == 0 or step >= most:
                if epoch > 1:
                    break
