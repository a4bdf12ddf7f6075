"""Variables of a module that are given their values together."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
(first, *others), last = [rank == 0, rank == 1], rank == size - 1


def on_one_bad(x):
    if rank == 0:
        comm.barrier()  # expect: [rank-guarded-collective] "`barrier`"
    return x


def on_the_last_bad(x):
    if last:
        comm.barrier()  # expect: [rank-guarded-collective] "`barrier`"
    return x


def by_the_number_ok(x):
    if size > 1:
        comm.barrier()
    return x
