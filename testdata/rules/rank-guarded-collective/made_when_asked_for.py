"""One object that is made when it is asked for first, and is asked which rank this is."""
import os

import torch.distributed as dist


class Job:
    _instance = None

    def __init__(self):
        self.number = int(os.environ["RANK"])
        self.many = int(os.environ["WORLD_SIZE"]) > 1

    @classmethod
    def instance(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    @classmethod
    def annotated(cls) -> "Job":
        if not cls._instance:
            cls._instance = cls()
        return cls._instance

    @property
    def is_first(self):
        return self.number == 0

    def meet(self):
        if self.many:
            dist.barrier()


def of_a_class_bad():
    if Job.instance().is_first:
        dist.barrier()  # expect: [rank-guarded-collective] "issued by rank 0 and not by the other ranks"


def of_an_annotation_bad():
    job = Job.annotated()
    if job.is_first:
        job.meet()  # expect: [rank-guarded-collective] "`barrier`"


def of_a_class_ok(path):
    job = Job.instance()
    if job.is_first:
        os.makedirs(path)
    job.meet()


_job = None


def current():
    global _job
    if _job is None:
        _job = Job()
    return _job


def of_a_module_bad():
    if current().is_first:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def of_a_module_ok():
    if current().many:
        dist.barrier()


class Quiet:
    is_first = False


def other_kind(verbose):
    return Quiet() if verbose else _job


def of_two_kinds_ok(verbose):
    # Which of the two it is is not known, and nothing is believed of the other.
    if other_kind(verbose).is_first and verbose:
        dist.barrier()
