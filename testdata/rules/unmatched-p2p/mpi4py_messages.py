"""Messages of mpi4py: a receive without a tag takes any, and the communicator is the world's."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def other_tag_bad(x):
    if rank == 0:
        comm.send(x, dest=1, tag=11)  # expect: [unmatched-p2p] "with tag 11"
    elif rank == 1:
        return comm.recv(source=0, tag=12)  # expect: [unmatched-p2p] "with tag 12"


def last_one_left_out_bad(x):
    if rank != 0:
        comm.send(x, dest=0)  # expect: [unmatched-p2p] "which does not receive it"
        return None
    return [comm.recv(source=peer) for peer in range(1, size - 1)]


def any_tag_ok(x):
    if rank == 0:
        for peer in range(1, size):
            comm.send(x, dest=peer, tag=peer)
        return None
    return comm.recv(source=0)


def own_tags_ok(x):
    if rank != 0:
        comm.send(x, dest=0, tag=rank)
        return None
    return [comm.recv(source=peer, tag=peer) for peer in range(1, size)]


def any_source_ok(x):
    if rank != 0:
        comm.send(x, dest=0)
        return None
    return [comm.recv(source=MPI.ANY_SOURCE) for _ in range(1, size)]


def some_tag_fn(x):
    if rank == 0:
        comm.send(x, dest=1, tag=1)
    elif rank == 1:
        comm.recv(source=0)
        comm.recv(source=0, tag=2)
