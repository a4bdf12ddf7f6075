"""Another library that has ranks may set up the job."""
import torch
from accelerate import Accelerator

from timing import seconds_of


def compare_bad(works):
    for work in Accelerator().prepare(works):
        try:
            seconds_of(torch.ones(work).sum())
        except torch.cuda.OutOfMemoryError:  # expect: [exception-skips-collective] "`all_reduce`"
            print("too large")


if __name__ == "__main__":
    compare_bad([])
