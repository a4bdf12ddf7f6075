"""A program of one process: no part of it sets up a job."""
import torch

from timing import seconds_of


def compare_ok(works):
    for work in works:
        try:
            seconds_of(torch.ones(work).sum())
        except torch.cuda.OutOfMemoryError:  # silent: [no-job]
            print("too large")


if __name__ == "__main__":
    compare_ok([])
