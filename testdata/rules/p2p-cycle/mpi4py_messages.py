"""Messages of mpi4py in a circle."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def ring_bad(x):
    comm.send(x, dest=(rank + 1) % size)  # expect: [p2p-cycle] "every rank sends first"
    return comm.recv(source=(rank - 1) % size)


def pair_bad(x):
    if rank == 0:
        y = comm.recv(source=1)  # expect: [p2p-cycle] "none goes on"
        comm.send(x, dest=1)
        return y
    if rank == 1:
        y = comm.recv(source=0)
        comm.send(x, dest=0)
        return y


def started_ok(x):
    request = comm.isend(x, dest=(rank + 1) % size)
    y = comm.recv(source=(rank - 1) % size)
    request.wait()
    return y


def exchanged_ok(x):
    return comm.sendrecv(x, dest=(rank + 1) % size, source=(rank - 1) % size)


def by_turns_ok(x, y):
    if rank % 2 == 0:
        comm.Send(x, dest=(rank + 1) % size)
        comm.Recv(y, source=(rank - 1) % size)
    else:
        comm.Recv(y, source=(rank - 1) % size)
        comm.Send(x, dest=(rank + 1) % size)


def chain_ok(x, y):
    left = rank - 1 if rank > 0 else MPI.PROC_NULL
    right = rank + 1 if rank < size - 1 else MPI.PROC_NULL
    comm.Send(x, dest=left)
    comm.Recv(y, source=right)
    return y
