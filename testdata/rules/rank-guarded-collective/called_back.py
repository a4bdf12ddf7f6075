# Functions that a library calls, at once or later.
import functools
import itertools

import torch
import torch.distributed as dist


def average(x):
    dist.all_reduce(x)
    return x


def average_output(module, inputs, output):
    dist.all_reduce(output)


def keep_output(module, inputs, output):
    module.kept = output


class Meter:
    def on_forward(self, module, inputs, output):
        dist.all_reduce(output)


def attach_bad(model):
    if dist.get_rank() == 0:
        model.register_forward_hook(average_output)  # expect: [rank-guarded-collective] "`all_reduce`"


def attach_ok(model):
    model.register_forward_hook(average_output)
    if dist.get_rank() == 0:
        model.register_forward_hook(keep_output)


def attach_method_bad(model):
    meter = Meter()
    if dist.get_rank() == 0:
        for layer in model.layers:
            layer.register_full_backward_hook(meter.on_forward)  # expect: [rank-guarded-collective] "`all_reduce`"


def attach_to_gradient_bad(weight):
    if dist.get_rank() == 0:
        weight.register_hook(lambda gradient: average(gradient))  # expect: [rank-guarded-collective] "`all_reduce`"


def attach_prepared_bad(model):
    if dist.get_rank() == 0:
        model.register_forward_pre_hook(functools.partial(average_output, model))  # expect: [rank-guarded-collective]


def mapped_bad(parts):
    if dist.get_rank() == 0:
        return list(map(average, parts))  # expect: [rank-guarded-collective] "`all_reduce`"
    return parts


def mapped_ok(parts):
    parts = list(map(average, parts))
    if dist.get_rank() == 0:
        print(sorted(parts, key=lambda part: part.sum()))
    return parts


def mapped_by_lambda_bad(parts):
    if dist.get_rank() == 0:
        for part in map(lambda p: average(p) / 2, parts):  # expect: [rank-guarded-collective] "`all_reduce`"
            print(part)


def reduced_bad(parts):
    if dist.get_rank() == 0:
        print(functools.reduce(lambda a, b: average(a + b), parts))  # expect: [rank-guarded-collective]


def starmapped_bad(pairs):
    if dist.get_rank() == 0:
        return list(itertools.starmap(torch.add, map(average, pairs)))  # expect: [rank-guarded-collective]
    return pairs


def sorted_bad(parts):
    if dist.get_rank() == 0:
        print(sorted(parts, key=average))  # expect: [rank-guarded-collective] "`all_reduce`"


def own_map(function, parts):
    return parts


def own_function_ok(parts):
    if dist.get_rank() == 0:
        return own_map(average, parts)
    return parts
