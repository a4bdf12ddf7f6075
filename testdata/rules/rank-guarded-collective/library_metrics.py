"""Metrics of a library, which bring the ranks' states together when they are computed."""
import torch.distributed as dist
import torchmetrics


def computed_by_one_bad(model, loader):
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10).cuda()
    for x, y in loader:
        accuracy.update(model(x), y)
    if dist.get_rank() == 0:
        print(accuracy.compute())  # expect: [rank-guarded-collective] "`all_gather`"


def computed_by_all_ok(model, loader):
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10).cuda()
    for x, y in loader:
        accuracy.update(model(x), y)
    value = accuracy.compute()
    if dist.get_rank() == 0:
        print(value)


def other_metric_ok(metric, loader):
    if dist.get_rank() == 0:
        print(metric.compute())
