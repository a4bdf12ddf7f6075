"""Lightning's Fabric with a strategy of its own: one device, or a part of the ranks."""
from lightning.fabric import Fabric
from lightning.fabric.plugins.collectives import TorchCollective
from lightning.fabric.strategies import DDPStrategy, SingleDeviceStrategy, SingleDeviceXLAStrategy


def on_one_device(fabric: Fabric, xla) -> Fabric:
    kind = SingleDeviceXLAStrategy if xla else SingleDeviceStrategy
    strategy = kind(device=fabric.device)
    return Fabric(strategy=strategy)


def evaluate_alone_ok(fabric: Fabric, model):
    if fabric.is_global_zero:
        alone = on_one_device(fabric, False)
        alone.setup_module(model)


def evaluate_here_ok(fabric: Fabric, model):
    if fabric.is_global_zero:
        Fabric(strategy=SingleDeviceStrategy(device=fabric.device)).setup_module(model)


def evaluate_bad(fabric: Fabric, model):
    if fabric.is_global_zero:
        fabric.setup_module(model)  # expect: [rank-guarded-collective] "`prepare`"


def sharded(devices) -> Fabric:
    return Fabric(devices=devices, strategy="fsdp")


def evaluate_sharded_bad(devices, model):
    fabric = sharded(devices)
    if fabric.is_global_zero:
        fabric.setup_module(model)  # expect: [rank-guarded-collective] "`prepare`"


def train(part, model):
    fabric = Fabric(strategy=DDPStrategy(process_group=part))
    fabric.setup_module(model)


def train_of_all(model):
    fabric = Fabric(strategy=DDPStrategy(find_unused_parameters=True))
    fabric.setup_module(model)


def players_and_trainers_ok(model):
    world = TorchCollective()
    world.create_group()
    trainers = TorchCollective()
    trainers.create_group(ranks=list(range(1, world.world_size)))
    if world.rank != 0:
        train(trainers.group, model)  # silent: [sets-up-part]


def trainers_of_all_bad(model):
    world = TorchCollective()
    world.create_group()
    if world.rank != 0:
        train_of_all(model)  # expect: [rank-guarded-collective] "`prepare`"
