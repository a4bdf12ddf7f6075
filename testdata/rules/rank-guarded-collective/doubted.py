# Ranks that part in the text and hardly do in a run, a reason each.
import functools
import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

MESH = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))


@functools.cache
def score(point):
    total = torch.tensor(point)
    dist.all_reduce(total)
    return total


def best_of_all_ok(points):
    for point in points:
        score(point)
    if dist.get_rank() == 0:
        print(score(points[0]))  # silent: [memoised-callee]


def convert_in_a_world_of_its_own_ok():
    if dist.get_rank() == 0:
        os.environ["WORLD_SIZE"] = "1"
        dist.barrier()  # silent: [world-of-its-own]


def export_where_nobody_else_comes_ok(x):
    rank = dist.get_rank()
    if rank == 0:
        dist.all_reduce(x)  # silent: [asserts-rank]
    assert rank == 0


def total_of(x, group):
    dist.all_reduce(x, group=group)


def total_of_the_first_ok(x):
    some = MESH.get_group("tp")
    if dist.get_rank() < 2:
        total_of(x, group=some)  # silent: [group-of-first]


def total_of_members_ok(x, members):
    if dist.get_rank() in members:
        dist.all_reduce(x, group=MESH.get_group("tp"))  # silent: [tests-membership]


class Pipeline:
    def __init__(self, group, leader):
        self.group = group
        self.leader = leader

    def total_of_leaders_ok(self, x):
        if dist.get_rank() == self.leader:
            dist.all_reduce(x, group=self.group)  # silent: [unknown-group]

    def total_of_parts_ok(self, x):
        if dist.get_rank() == self.leader:
            dist.all_reduce(x, group=MESH.get_group("tp"))  # silent: [own-number]


def first_and_last_stage_ok(x, stages):
    stage = dist.get_rank() // (dist.get_world_size() // stages)
    if stage == 0:
        return
    if stage == stages - 1:
        dist.all_reduce(x)  # silent: [no-number-fits]


def noise_of_one_ok():
    if dist.get_rank() == 0:
        return torch.distributed.tensor.rand(8, device_mesh=MESH)  # silent: [sometimes-communicates]


def run_with_many_options_ok(x, options):
    if options.version:
        return
    if options.list_models:
        return
    if options.list_devices:
        return
    if options.print_config:
        return
    if options.dry_run:
        return
    if options.export:
        return
    if options.convert:
        return
    if options.profile:
        return
    if options.resume:
        return
    if options.compare:
        return
    if options.serve:
        return
    if options.describe:
        return
    if options.validate:
        return
    if options.benchmark:
        return
    if options.upload:
        return
    if options.clean:
        return
    if options.repair:
        return
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # silent: [many-decisions]
