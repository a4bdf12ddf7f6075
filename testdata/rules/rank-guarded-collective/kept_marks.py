# Work that is done once and leaves a mark is no getter: nobody else comes by to do it too.
import torch.distributed as dist


class Model:
    def __init__(self):
        self.embeds = None
        self.first_group = None

    def warm_up(self):
        if self.embeds is not None:
            return
        self.embeds = dist.all_reduce(self.weights)

    def prepare_bad(self, x):
        if dist.get_rank() == 0:
            self.warm_up()  # expect: [rank-guarded-warmup] "`all_reduce`"
        dist.broadcast(x, src=0)

    def prepare_ok(self, x):
        self.warm_up()
        dist.broadcast(x, src=0)
