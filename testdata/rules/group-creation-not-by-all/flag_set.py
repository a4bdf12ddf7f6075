"""Groups that are made before they are asked for: a flag says so."""
import torch.distributed as dist


class Roles:
    def __init__(self):
        self.is_made = False
        self.group = None

    def make(self):
        if self.is_made:
            raise RuntimeError("made before")
        self.group = dist.new_group([0])
        self.is_made = True

    def reduced(self, x):
        if not self.is_made:
            self.make()
        dist.all_reduce(x, group=self.group)

    def on_first_ok(self, x):
        if not self.is_made:
            self.make()
        if dist.get_rank() != 0:
            return
        self.reduced(x)

    def on_first_unprepared_bad(self, x):
        if dist.get_rank() != 0:
            return
        self.reduced(x)  # expect: [group-creation-not-by-all]
