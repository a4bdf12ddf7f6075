"""Messages of mpi4py to the rank itself: sent before anything receives them."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def to_the_root_bad(x):
    if rank == 0:
        comm.send(x, dest=0, tag=rank)  # expect: [p2p-self] "the destination of `send`"
    if rank != 0:
        comm.send(x, dest=0, tag=rank)
    if rank == 0:
        return [comm.recv(source=peer, tag=peer) for peer in range(size)]


def to_the_others_ok(x):
    if rank != 0:
        comm.send(x, dest=0, tag=rank)
        return None
    return [x] + [comm.recv(source=peer, tag=peer) for peer in range(1, size)]


def meant_ok(x):
    request = comm.irecv(source=rank)
    comm.send(x, dest=rank)
    return request.wait()
