# What is known of a list holds until the list changes, by whatever name.
import os

import torch.distributed as dist


def cleared_ok(x):
    todo = []
    if dist.get_rank() == 0:
        todo.append(x)
    todo.clear()
    if todo:
        dist.all_reduce(x)


def cleared_by_another_name_ok(x):
    even = [r for r in range(dist.get_world_size()) if r % 2 == 0]
    same = even
    same.clear()
    if dist.get_rank() in even:
        dist.all_reduce(x)


def overwritten_ok(x):
    leads = [0, 1] * 4
    same = leads
    for i in range(8):
        same[i] = 0
    if leads[dist.get_rank()]:
        dist.all_reduce(x)


def filled_by_all_ok(x):
    todo = []
    if dist.get_rank() == 0:
        todo.append(x)
    for _ in range(2):
        todo.append(x)
    if todo:
        dist.all_reduce(x)


def counted_by_another_name_ok(x):
    numbers = [dist.get_rank(), 1]
    same = numbers
    same.append(0)
    if numbers.count(0) >= 1:
        dist.all_reduce(x)


def copied_bad(x):
    todo = []
    if dist.get_rank() == 2:
        todo.append(x)
    todo = list(todo)
    if len(todo) == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def first_of_as_many_ok(x):
    if [dist.get_world_size() for _ in range(dist.get_world_size())][0] > dist.get_rank():
        dist.all_reduce(x)


def pair_bad(x):
    if [dist.get_rank()] == [4]:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def below_all_ok(x):
    if dist.get_rank() < int(os.environ["WORLD_SIZE"]):
        dist.all_reduce(x)


def first_when_sorted_ok(x):
    if sorted([dist.get_rank(), 0]).index(0) == 0:
        dist.all_reduce(x)


def different_bad(x):
    if len(frozenset([dist.get_rank(), 0])) == 2:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def agree_on(numbers):
    numbers.clear()


def passed_on_ok(x):
    numbers = [dist.get_rank(), 1]
    agree_on(numbers)
    if sum(numbers) == 1:
        dist.all_reduce(x)
