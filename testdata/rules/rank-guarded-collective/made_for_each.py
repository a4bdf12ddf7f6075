"""What a field of a class is made with, for each object."""
import os
from dataclasses import dataclass, field

import torch.distributed as dist
from pydantic import BaseModel, Field


def rank_of_job():
    return int(os.environ["RANK"])


def count():
    return int(os.environ["WORLD_SIZE"])


@dataclass
class Config:
    number: int = field(default_factory=rank_of_job)
    ranks: int = field(default_factory=count)

    def start_bad(self):
        if self.number == 0:
            dist.barrier()  # expect: [rank-guarded-collective] "rank 0"

    def start_ok(self):
        if self.ranks > 1:
            dist.barrier()


class Settings(BaseModel):
    number: int = Field(default_factory=rank_of_job, exclude=True)
    names: list = Field(default_factory=list)

    def start_bad(self):
        if self.number == 0:
            dist.barrier()  # expect: [rank-guarded-collective] "rank 0"

    def names_ok(self):
        if self.names:
            dist.barrier()
