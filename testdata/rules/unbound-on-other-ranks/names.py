"""Variables that rank 0 alone has given a value, handed to what all ranks call."""
import torch
import torch.distributed as dist
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()

if rank == 0:
    table = {"steps": 10}
table = comm.bcast(table, root=0)  # expect: [unbound-on-other-ranks] "`table`"


def sent_bad(make):
    if dist.get_rank() == 0:
        held = make()
        held = held.cuda()
    dist.broadcast(held, src=0)  # expect: [unbound-on-other-ranks] "`held`"
    return held


def scattered_bad(parts):
    if rank == 0:
        shares = [parts[i::comm.size] for i in range(comm.size)]
    return comm.scatter(shares, root=0)  # expect: [unbound-on-other-ranks] "`shares`"


def both_ok(make):
    if dist.get_rank() == 0:
        held = make()
    else:
        held = torch.empty(4)
    dist.broadcast(held, src=0)
    return held


def before_ok(read):
    chosen = None
    if rank == 0:
        chosen = read()
    return comm.bcast(chosen, root=0)


def parameter_ok(chosen=None):
    if rank == 0:
        chosen = {"steps": 10}
    return comm.bcast(chosen, root=0)


def left_before_ok(read):
    if rank != 0:
        return comm.bcast(None, root=0)
    chosen = read()
    return comm.bcast(chosen, root=0)


def same_guard_ok(make):
    if dist.get_rank() == 0:
        held = make()
    if dist.get_rank() == 0:
        dist.broadcast(held, src=0)
    else:
        other = torch.empty(4)
        dist.broadcast(other, src=0)


def in_turn_ok(count, ranks_of):
    for node in range(count):
        made = dist.new_group(ranks_of(node))
        if dist.get_rank() // 8 == node:
            own = made
    dist.barrier(group=own)


def option_ok(make, resume):
    if resume:
        held = make()
    dist.broadcast(held, src=0)


def of_the_module_ok():
    global table
    if rank == 0:
        table = {"steps": 20}
    table = comm.bcast(table, root=0)


def of_a_part_ok(part):
    if rank == 0:
        held = {"steps": 10}
    if part is not None:
        part.bcast(held, root=0)


def taken_ok(x):
    if rank == 0:
        held = x
    try:
        comm.bcast(held, root=0)
    except NameError:
        comm.bcast(None, root=0)


class World:
    def share(self, x):
        return comm.bcast(x, root=0)


world = World()


def by_an_own_function_bad(read):
    if rank == 0:
        held = read()
    held = world.share(held)  # expect: [unbound-on-other-ranks] "`held`"
    return held


def on_both_sides_ok(choice):
    if rank == 0:
        if choice == 1:
            held = 10
        elif choice == 2:
            held = 20
    else:
        held = None
    return comm.bcast(held, root=0)
