# A list that only some ranks put something into is gone through by these.
import torch.distributed as dist


def appended_bad(x):
    todo = []
    if dist.get_rank() == 2:
        todo.append("save")
    for step in todo:  # expect: [rank-dependent-loop]
        dist.all_reduce(x)


def added_bad(x):
    todo = []
    if dist.get_rank() == 2:
        todo += ["save"]
    for step in todo:  # expect: [rank-dependent-loop]
        dist.all_reduce(x)


def appended_by_all_ok(x):
    todo = []
    todo.append("save")
    for step in todo:
        dist.all_reduce(x)


def shown_by_one_ok(x):
    todo = []
    if dist.get_rank() == 2:
        todo.append("save")
    for step in todo:
        print(step)
    dist.all_reduce(x)


def emptied(todo):
    todo.clear()


def appended_alike_ok(x):
    todo = []
    if dist.get_rank() == 2:
        todo.append("save")
    else:
        todo.append("log")
    for step in todo:
        dist.all_reduce(x)


def cleared_ok(x):
    todo = []
    if dist.get_rank() == 2:
        todo.append("save")
    todo.clear()
    for step in todo:
        dist.all_reduce(x)


def cut_ok(x):
    todo = []
    if dist.get_rank() == 2:
        todo += ["save"]
    del todo[:]
    for step in todo:
        dist.all_reduce(x)


def cleared_by_another_ok(x):
    todo = []
    if dist.get_rank() == 2:
        todo.append("save")
    emptied(todo)
    for step in todo:
        dist.all_reduce(x)


def under_two_names_ok(x):
    todo = []
    same = todo
    if dist.get_rank() == 2:
        todo.append("save")
    else:
        same.append("log")
    for step in todo:
        dist.all_reduce(x)


def appended_inside_ok(x):
    todo = []

    def put():
        todo.append("log")

    if dist.get_rank() == 2:
        todo.append("save")
    else:
        put()
    for step in todo:
        dist.all_reduce(x)


def first_alone_ok(x):
    todo = ["log"]
    if dist.get_rank() == 2:
        todo.append("save")
    for step in todo:
        dist.all_reduce(x)
        break
