"""What a rank sees by itself, asked together with its number: whatever it sees there, the others do not ask."""
import json
import os

import torch
import torch.distributed as dist


class Trainer:
    def __init__(self, folder):
        self.folder = folder
        self.rank = dist.get_rank()

    def is_done(self, stage):
        results = os.path.join(self.folder, stage, "results.jsonl")
        metrics = os.path.join(self.folder, stage, "metrics.json")
        if not os.path.exists(results) or not os.path.exists(metrics):
            return False
        try:
            with open(metrics) as file:
                found = json.load(file)
            return "loss" in found
        except OSError:
            return False

    def resume_bad(self, stage, x):
        done = self.is_done(stage)
        if done and self.rank == 0:
            return  # expect: [early-exit-before-collective] "rank 0"
        dist.all_reduce(x)

    def log_ok(self, stage, x):
        if self.is_done(stage) and self.rank == 0:
            print(stage)
        dist.all_reduce(x)


def main(x):
    dist.init_process_group("gloo")
    trainer = Trainer("out")
    trainer.resume_bad("first", x)
    trainer.log_ok("second", x)


main(torch.ones(1))
