import torch
import torch.distributed as dist
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer
from torch.utils.data import DataLoader

WORKERS = 1


def validate(loader):
    for batch in loader:
        if not torch.isfinite(batch).all():
            return float("inf")  # silent: [started-alone]
    dist.all_reduce(batch)
    return 0.0


def alone(config):
    validate(DataLoader(config["data"]))


def validate_on_all(loader):
    for batch in loader:
        if not torch.isfinite(batch).all():
            return float("inf")  # expect: [data-dependent-collective] "`all_reduce`"
    dist.all_reduce(batch)
    return 0.0


def among_four(config):
    validate_on_all(DataLoader(config["data"]))


def either(config):
    validate_on_all(DataLoader(config["data"]))


def start(data):
    config = {"data": data}
    TorchTrainer(alone, train_loop_config=config, scaling_config=ScalingConfig(use_gpu=True)).fit()
    one = ScalingConfig(num_workers=WORKERS)
    TorchTrainer(alone, train_loop_config=config, scaling_config=one).fit()
    TorchTrainer(among_four, train_loop_config=config, scaling_config=ScalingConfig(num_workers=4)).fit()
    TorchTrainer(either, train_loop_config=config, scaling_config=ScalingConfig(use_gpu=True)).fit()
