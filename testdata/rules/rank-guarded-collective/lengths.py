"""What is called a rank and counts something else: the number of a tensor's dimensions, of a form's arguments."""
import torch.distributed as dist


class Form:
    def __init__(self, expression):
        self.arguments = expression.arguments()
        self.rank = len(self.arguments)


class Operator(Form):
    def assemble_ok(self, x):
        if self.rank == 1:
            dist.all_reduce(x)


class Numbered:
    def __init__(self, settings):
        self.rank = settings.rank

    def assemble_bad(self, x):
        if self.rank == 1:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def length_of_what_is_unpacked_ok(x):
    if (lambda *a, **k: len(*a, **k))(x) == 0:
        dist.barrier()
