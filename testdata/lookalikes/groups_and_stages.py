"""Groups, stages and subgroups: who belongs, communicates."""
import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def groups_of_nodes_ok(per_node, x):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = None
    for first in range(0, world, per_node):
        ranks = list(range(first, first + per_node))
        group = dist.new_group(ranks)
        if rank in ranks:
            mine = group
    dist.all_reduce(x, group=mine)


def members_only_ok(x, members):
    group = dist.new_group(members)
    if dist.get_rank() in members:
        dist.all_reduce(x, group=group)
    dist.barrier()


def leaders_ok(x, per_node):
    world, rank = dist.get_world_size(), dist.get_rank()
    leaders = list(range(0, world, per_node))
    group = dist.new_group(leaders)
    if rank % per_node == 0:
        dist.all_reduce(x, group=group)
    local = None
    for leader in leaders:
        ranks = list(range(leader, leader + per_node))
        made = dist.new_group(ranks)
        if rank in ranks:
            local = made
    dist.broadcast(x, src=rank - rank % per_node, group=local)


def none_elsewhere_ok(x, ranks):
    group = dist.new_group(ranks)
    if dist.get_rank() not in ranks:
        group = None
    if group is not None:
        dist.all_reduce(x, group=group)


class Stage:
    def __init__(self, mesh):
        self.rank = mesh.get_local_rank("pp")
        self.size = mesh["pp"].size()
        self.group = mesh.get_group("pp")
        self.dp_group = mesh.get_group("dp")
        self.is_first = self.rank == 0
        self.is_last = self.rank == self.size - 1


def forward_ok(stage, model, batch, shape):
    if stage.is_first:
        x = model(batch)
    else:
        x = torch.empty(shape, device="cuda")
        dist.recv(x, group=stage.group, group_src=stage.rank - 1)
        x = model(x)
    if not stage.is_last:
        dist.send(x, group=stage.group, group_dst=stage.rank + 1)
    return x


def loss_of_last_stage_ok(stage, loss):
    value = torch.zeros(1, device="cuda")
    if stage.is_last:
        value += loss
        dist.all_reduce(value, group=stage.dp_group)
    dist.broadcast(value, group=stage.group, group_src=stage.size - 1)
    return value.item()


def one_after_the_other_ok(work):
    for r in range(dist.get_world_size()):
        if r == dist.get_rank():
            work()
        dist.barrier()


def ring_shift_ok(x):
    rank, world = dist.get_rank(), dist.get_world_size()
    got = torch.empty_like(x)
    ops = [dist.P2POp(dist.isend, x, (rank + 1) % world), dist.P2POp(dist.irecv, got, (rank - 1) % world)]
    for work in dist.batch_isend_irecv(ops):
        work.wait()
    return got


def even_then_odd_ok(x):
    rank = dist.get_rank()
    got = torch.empty_like(x)
    if rank % 2 == 0:
        dist.send(x, rank + 1)
        dist.recv(got, rank + 1)
    else:
        dist.recv(got, rank - 1)
        dist.send(x, rank - 1)
    return got


def scatter_from_first_ok(rows):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = [None]
    if rank == 0:
        parts = [rows[r::world] for r in range(world)]
        dist.scatter_object_list(mine, parts, src=0)
    else:
        dist.scatter_object_list(mine, None, src=0)
    return mine[0]


def sizes_first_ok(x):
    world = dist.get_world_size()
    size = torch.tensor([x.shape[0]], device=x.device)
    sizes = [torch.zeros_like(size) for _ in range(world)]
    dist.all_gather(sizes, size)
    longest = max(int(s.item()) for s in sizes)
    padded = torch.zeros(longest, *x.shape[1:], device=x.device)
    padded[: x.shape[0]] = x
    parts = [torch.zeros_like(padded) for _ in range(world)]
    dist.all_gather(parts, padded)
    return torch.cat([p[: int(s.item())] for p, s in zip(parts, sizes)])


def tensor_parallel_first_ok(mesh, x, writer):
    tp = mesh["tp"]
    dist.all_reduce(x, group=tp.get_group())
    if tp.get_local_rank() == 0:
        dist.all_reduce(x, group=mesh.get_group("dp"))
        writer.write(str(x.sum().item()))


def mesh_ok(tp, x):
    world = dist.get_world_size()
    assert world % tp == 0
    mesh = init_device_mesh("cuda", (world // tp, tp), mesh_dim_names=("dp", "tp"))
    tensor_parallel_first_ok(mesh, x, open(os.devnull, "w"))


def command_loop_ok(model, requests):
    # The first rank tells the others what to do, and when to stop.
    if dist.get_rank() == 0:
        for request in requests:
            dist.broadcast_object_list([("run", request)], src=0)
            model(request)
        dist.broadcast_object_list([("stop", None)], src=0)
    else:
        while True:
            told = [None]
            dist.broadcast_object_list(told, src=0)
            what, request = told[0]
            if what == "stop":
                break
            model(request)


def told_through_a_helper_ok(batches, group):
    if dist.get_rank(group) == 0:
        for batch in batches:
            share(batch, group)
            yield batch
        share("end", group)
    else:
        while True:
            batch = share(None, group)
            if batch == "end":
                break
            yield batch


def share(x, group):
    box = [x]
    dist.broadcast_object_list(box, group=group, group_src=0)
    return box[0]


def neighbours_ok(rank, world, stages, x):
    per_stage = world // stages
    stage = rank // per_stage
    before = None if stage == 0 else rank - per_stage
    behind = None if stage == stages - 1 else rank + per_stage
    if before is not None or behind is not None:
        dist.all_reduce(x)
    return before, behind


def neighbours_of_all_ok(stages, x):
    neighbours_ok(dist.get_rank(), dist.get_world_size(), stages, x)
