"""What a constructor can be told and nobody tells it."""
import torch.distributed as dist
import torch.nn as nn


class Decoder(nn.Module):
    def __init__(self, parts=1, quiet=False):
        super().__init__()
        self.parts = parts
        self.quiet = quiet

    def decode(self, x):
        if self.parts > 1:
            dist.all_reduce(x)

    def show(self, x):
        if not self.quiet:
            dist.all_reduce(x)


class Pipeline:
    def __init__(self):
        self.setup(True)

    def setup(self, quiet):
        self.decoder = self.build(quiet)

    def build(self, quiet):
        decoder = Decoder(quiet=quiet).to("cuda")
        return decoder

    def alone_fn(self, x):
        if dist.get_rank() == 0:
            self.decoder.decode(x)  # silent: [unused-option]

    def show_alone_bad(self, x):
        if dist.get_rank() == 0:
            self.decoder.show(x)  # expect: [rank-guarded-collective]


class Tower(nn.Module):
    def __init__(self, parts=1):
        super().__init__()
        self.parts = parts

    def alone_bad(self, x):
        if dist.get_rank() == 0 and self.parts > 1:
            dist.all_reduce(x)  # expect: [rank-guarded-collective]


class OneTower(nn.Module):
    def __init__(self, parts=1):
        super().__init__()
        self.parts = parts

    def alone_fn(self, x):
        if dist.get_rank() == 0 and self.parts > 1:
            dist.all_reduce(x)  # silent: [unused-option]


def build(kind, options):
    return kind(**options)


class Towers:
    def __init__(self, options):
        self.small = Tower()
        self.large = build(Tower, options)
        self.only = OneTower()
        assert isinstance(self.only, OneTower)
