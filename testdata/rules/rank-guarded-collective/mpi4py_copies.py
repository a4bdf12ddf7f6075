"""A copy of a communicator has its members: what one rank alone has set is asked of all."""
import numpy as np
from mpi4py import MPI


def set_on_the_first_bad(path):
    comm = MPI.COMM_WORLD.Dup()
    norm = None
    if comm.Get_rank() == 0:
        norm = np.load(path)
    if norm is not None:
        norm = comm.bcast(norm, root=0)  # expect: [rank-guarded-collective] "`broadcast`"
    return norm


def set_on_the_first_of_a_clone_bad(path):
    comm = MPI.COMM_WORLD.Clone()
    norm = None
    if comm.Get_rank() == 0:
        norm = np.load(path)
    if norm is not None:
        norm = comm.bcast(norm, root=0)  # expect: [rank-guarded-collective] "`broadcast`"
    return norm


def sent_first_ok(path):
    comm = MPI.COMM_WORLD.Dup()
    norm = None
    if comm.Get_rank() == 0:
        norm = np.load(path)
    norm = comm.bcast(norm, root=0)
    if norm is not None:
        comm.Barrier()
    return norm
