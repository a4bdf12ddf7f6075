"""The same among ranks."""
import torch
import torch.distributed as dist

from timing import seconds_of


def compare_bad(works):
    for work in works:
        try:
            seconds_of(torch.ones(work).sum())
        except torch.cuda.OutOfMemoryError:  # expect: [exception-skips-collective] "`all_reduce`"
            print("too large")


def main():
    dist.init_process_group("gloo")
    compare_bad([])


if __name__ == "__main__":
    main()
