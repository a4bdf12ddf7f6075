"""Communicators that are split by a colour: the ranks that gave one colour are the members."""
from mpi4py import MPI


def leaders_ok(arr, comm, node_comm):
    node_rank = node_comm.Get_rank()
    leaders = comm.Split(0 if node_rank == 0 else MPI.UNDEFINED, comm.Get_rank())
    if node_rank == 0:
        leaders.Bcast(arr, root=0)


def first_colour_ok(arr):
    comm = MPI.COMM_WORLD
    quarters = comm.Split(comm.Get_rank() // 4, comm.Get_rank())
    if comm.Get_rank() < 4:
        quarters.Bcast(arr, root=0)


def one_of_a_colour_bad(arr, comm):
    rank = comm.Get_rank()
    halves = comm.Split(rank % 2, rank)
    if rank == 0:
        halves.Bcast(arr, root=0)  # expect: [rank-guarded-collective] "`broadcast` on `halves`"


def first_of_each_colour_bad(arr):
    comm = MPI.COMM_WORLD
    quarters = comm.Split(comm.Get_rank() // 4, comm.Get_rank())
    if quarters.Get_rank() == 0:
        quarters.Bcast(arr, root=0)  # expect: [rank-guarded-collective] "`broadcast` on `quarters`"
