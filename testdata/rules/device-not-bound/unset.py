"""Workers that are told their number and hand it on in the environment."""
import os

import torch
from library import envs


def local_device():
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))


def device_of_settings():
    return torch.device(f"cuda:{envs.LOCAL_RANK}")


def device_of_launcher():
    return torch.device("cuda", int(os.environ["LOCAL_RANK"]))


class Worker:
    def __init__(self, local_rank, one_by_one):
        self.local_rank = local_rank
        self.one_by_one = one_by_one

    def start_bad(self):
        self.device = local_device()  # expect: [device-not-bound] "sets further down"
        os.environ["LOCAL_RANK"] = str(self.local_rank)  # expect-note: "set here"

    def start_with_settings_bad(self):
        self.device = device_of_settings()  # expect: [device-not-bound] "`device_of_settings` chooses"
        if self.one_by_one:
            os.environ["LOCAL_RANK"] = str(self.local_rank)

    def bind_bad(self):
        torch.cuda.set_device(int(os.getenv("LOCAL_RANK", 0)))  # expect: [device-not-bound] "sets further down"
        os.environ["LOCAL_RANK"] = str(self.local_rank)

    def start_ok(self):
        os.environ["LOCAL_RANK"] = str(self.local_rank)
        self.device = local_device()

    def start_with_launcher_ok(self):
        self.device = device_of_launcher()
        os.environ["LOCAL_RANK"] = str(self.local_rank)

    def start_with_own_number_ok(self):
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", self.local_rank)))
        os.environ["LOCAL_RANK"] = str(self.local_rank)

    def give_default_ok(self):
        number = int(os.environ.get("LOCAL_RANK", "0"))
        torch.cuda.set_device(number)
        os.environ["LOCAL_RANK"] = str(number)

    def alone_ok(self):
        self.device = local_device()
        os.environ["LOCAL_RANK"] = "0"
