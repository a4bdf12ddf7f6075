from . import average
from .ops.reduce import synchronise as reduce_in_place
from .registry import register


@register("mean")
class Mean:
    def __init__(self, x):
        self.x = x

    def compute(self):
        return average(self.x)


class Peak(Mean):
    def compute(self):
        return self.x.max()


def summarise(x):
    reduce_in_place(x)
    return x
