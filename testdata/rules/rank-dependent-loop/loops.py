"""Loops around communication whose number of rounds depends on the rank."""
import glob
import os
import time

import torch
import torch.distributed as dist


def range_of_the_rank_bad(x):
    for _ in range(dist.get_rank()):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x)


def range_from_the_rank_bad(x):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    for step in range(rank, 100):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x[step])


def share_by_floor_division_bad(items, x):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    for index in range(rank, len(items), world_size):  # expect: [rank-dependent-loop] "`all_reduce`"
        x += items[index]
        dist.all_reduce(x)


def slice_by_the_rank_bad(items, x):
    mine = items[dist.get_rank() :]
    for item in mine:  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(item)


def every_nth_bad(items, x):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(item)


def local_files_fn(folder, x):  # not found: how many files there are is not followed
    for path in sorted(glob.glob(os.path.join(folder, "*.pt"))):
        x += torch.load(path)
        dist.all_reduce(x)


def while_the_clock_runs_bad(x, seconds):
    start = time.time()
    while time.time() - start < seconds:  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x)


def while_on_the_rank_bad(x):
    remaining = dist.get_rank()
    while remaining > 0:  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x)
        remaining -= 1


def collective_in_a_callee_bad(x):
    for _ in range(dist.get_rank() + 1):  # expect: [rank-dependent-loop] "`all_reduce`"
        step(x)


def step(x):
    dist.all_reduce(x)


def conditional_length_bad(x):
    rounds = 4 if dist.get_rank() == 0 else 3
    for _ in range(rounds):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x)


def world_size_ok(x):
    for _ in range(dist.get_world_size()):
        dist.all_reduce(x)


def configuration_ok(x, config):
    for _ in range(config.rounds):
        dist.all_reduce(x)


def local_work_of_different_length_ok(items, x):
    for index in range(dist.get_rank(), len(items), dist.get_world_size()):
        x += items[index]
    dist.all_reduce(x)


def agreed_length_ok(folder, x):
    count = torch.tensor([len(os.listdir(folder))])
    dist.all_reduce(count, op=dist.ReduceOp.MIN)
    for _ in range(int(count.item())):
        dist.all_reduce(x)


def agreed_while_ok(x, has_more):
    more = torch.tensor([1])
    while True:
        more.fill_(int(has_more()))
        dist.all_reduce(more, op=dist.ReduceOp.MAX)
        if not more.item():
            break
        dist.all_reduce(x)


def done_flag_by_broadcast_ok(x, finished):
    done = [False]
    while not done[0]:
        dist.all_reduce(x)
        done = [finished() if dist.get_rank() == 0 else None]
        dist.broadcast_object_list(done, src=0)


def turns_ok(write):
    for turn in range(dist.get_world_size()):
        if turn == dist.get_rank():
            write()
        dist.barrier()


def equal_slices_ok(items, n):
    rank = dist.get_rank()
    for item in items[rank * n : (rank + 1) * n]:
        dist.all_reduce(item)


def gathered_list_ok(names, x):
    everyone = [None] * dist.get_world_size()
    dist.all_gather_object(everyone, names)
    for name in everyone:
        print(name)
        dist.all_reduce(x)


def other_axis_ok(x, mesh):
    for _ in range(mesh.get_local_rank("pp")):
        dist.all_reduce(x, group=mesh.get_group("dp"))


def same_axis_bad(x, mesh):
    for _ in range(mesh.get_local_rank("pp")):  # expect: [rank-dependent-loop] "`all_reduce`"
        dist.all_reduce(x, group=mesh.get_group("pp"))


def data_loader_ok(loader, model, x):
    for batch in loader:
        x += model(batch)
        dist.all_reduce(x)


def until_one_rank_is_done_bad(check):
    done = False
    while not done:  # expect: [rank-dependent-loop] "`barrier`"
        dist.barrier()
        if dist.get_rank() == 0:
            done = check()


def until_all_are_done_ok(check):
    done = False
    while not done:
        if dist.get_rank() == 0:
            done = check()
        said = [done]
        dist.broadcast_object_list(said, src=0)
        done = said[0]


def another_call_after_it_bad(x):
    left = dist.get_rank()
    while left > 0:  # expect: [rank-dependent-loop] "around `barrier` on `world`"
        dist.barrier()
        left -= 2
    dist.all_reduce(x)
