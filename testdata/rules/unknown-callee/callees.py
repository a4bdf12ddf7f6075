"""Calls on some ranks only, of which nothing is known."""
import torch.distributed as dist
from sharded_store import publish, publish_all


def group_argument_bad(weights, group):
    if dist.get_rank() == 0:
        publish(weights, group=group)  # expect: [unknown-callee] "`publish`"


def process_group_argument_bad(weights, group):
    if dist.get_rank() == 0:
        publish_all(weights, process_group=group)  # expect: [unknown-callee] "`publish_all`"


def early_return_bad(weights, group):
    if dist.get_rank() != 0:
        return None
    return publish(weights, group=group)  # expect: [unknown-callee] "`publish`"


def on_all_ranks_ok(weights, group):
    publish(weights, group=group)


def other_arguments_ok(weights):
    if dist.get_rank() == 0:
        publish(weights)


def known_function_ok(weights, group):
    if dist.get_rank() == 0:
        describe(weights, group)


def describe(weights, group):
    print(weights, group)


def built_in_ok(weights, group):
    if dist.get_rank() == 0:
        print(weights, group)


def uniform_condition_ok(weights, group, step):
    if step == 0:
        publish(weights, group=group)
