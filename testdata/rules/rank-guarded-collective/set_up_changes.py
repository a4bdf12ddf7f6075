"""A set-up that asks for what it changes itself: where the option holds there is a job."""
import torch.distributed as dist


class Engine:
    def __init__(self):
        self.ready = False

    def start(self):
        if not self.ready:
            dist.init_process_group("nccl")
            self.ready = True

    def show_bad(self, x):
        if self.ready:
            if dist.get_rank() == 0:
                dist.all_reduce(x)  # expect: [rank-guarded-collective]


def main(x):
    engine = Engine()
    engine.start()
    engine.show_bad(x)
