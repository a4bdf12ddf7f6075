"""Dataclasses: what the constructor is not told is the default."""
from dataclasses import dataclass, field

import torch.distributed as dist


@dataclass
class Base:
    verbose: bool = False


@dataclass
class Config(Base):
    size: int
    overlap: bool = True
    synchronize: bool = False
    later: bool = False
    named: bool = field(default=False, metadata={"help": "number what is saved"})


def build(config: Config):
    if config.synchronize:
        dist.barrier()


def build_later(config: Config):
    if config.later:
        dist.barrier()


def build_named(config: Config):
    if config.named:
        dist.barrier()


def default_of_a_field_is_off_ok():
    if dist.get_rank() == 0:
        build_named(Config(size=4))


def told_to_name_bad():
    if dist.get_rank() == 0:
        build_named(Config(size=4, named=True))  # expect: [rank-guarded-collective] "`barrier`"


def default_is_off_ok():
    if dist.get_rank() == 0:
        build(Config(size=4))


def told_to_ok():
    if dist.get_rank() == 0:
        build(Config(size=4, overlap=False, synchronize=False))


def told_to_bad():
    if dist.get_rank() == 0:
        build(Config(False, 4, synchronize=True))  # expect: [rank-guarded-collective] "`barrier`"


def filled_in_bad(arguments):
    config = Config(size=4)
    fill(config, arguments)
    if dist.get_rank() == 0:
        build_later(config)  # expect: [rank-guarded-collective] "`barrier`"


def fill(config, arguments):
    config.later = arguments.later


def unknown_bad(config: Config):
    if dist.get_rank() == 0:
        build(config)  # expect: [rank-guarded-collective] "`barrier`"


@dataclass
class Job:
    rank: int
    count: int

    @property
    def is_at_the_end(self):
        return self.rank >= self.count - 2


def asked_by_a_property_bad(x):
    job = Job(dist.get_rank(), dist.get_world_size())
    if job.is_at_the_end:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by the last 2 ranks and not by the other ranks"
