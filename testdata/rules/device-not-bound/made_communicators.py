"""The rank in a communicator that is made of a part of the ranks is none of the job's."""
import torch
from mpi4py import MPI

_rank, _size = 0, 1


def of_the_machine_ok():
    part = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_SHARED)
    torch.cuda.set_device(part.Get_rank())
    MPI.COMM_WORLD.Barrier()


def of_all_bad():
    torch.cuda.set_device(MPI.COMM_WORLD.Get_rank())  # expect: [device-not-bound] "global rank"
    MPI.COMM_WORLD.Barrier()


def start():
    global _rank, _size
    part = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_SHARED)
    _rank, _size = part.Get_rank(), part.Get_size()


def by_a_variable_ok():
    start()
    torch.cuda.set_device(_rank)
    MPI.COMM_WORLD.Barrier()
