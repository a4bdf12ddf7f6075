"""Times that have gone by, compared with none and with some."""
import time

import torch.distributed as dist


class Meter:
    def __init__(self):
        self.last = None

    def log_ok(self, x, steps):
        now = time.perf_counter()
        elapsed = now - self.last
        if elapsed <= 0.0 or steps <= 0:
            return  # silent: [alike-on-ranks]
        dist.all_reduce(x)

    def log_bad(self, x, steps):
        now = time.perf_counter()
        elapsed = now - self.last
        if elapsed <= 10.0 or steps <= 0:
            return  # expect: [data-dependent-collective] "`all_reduce`"
        dist.all_reduce(x)
