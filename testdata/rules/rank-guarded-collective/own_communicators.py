"""What is handed the communicator of one process, or of those of a part, meets no others."""
from mpi4py import MPI


class Mesh:
    def __init__(self, cells, comm):
        self.cells = cells
        self.comm = comm

    def curve(self):
        self.comm.barrier()


def build(cells, comm):
    mesh = Mesh(cells, comm)
    mesh.curve()
    return mesh


def built_alone_ok():
    if MPI.COMM_WORLD.rank == 0:
        return build(4, comm=MPI.COMM_SELF)


def built_by_the_others_ok():
    if MPI.COMM_WORLD.rank == 0:
        MPI.COMM_WORLD.Split(MPI.UNDEFINED)
    else:
        part = MPI.COMM_WORLD.Split(0)
        return build(4, comm=part)


def built_for_all_bad():
    if MPI.COMM_WORLD.rank == 0:
        return build(4, comm=MPI.COMM_WORLD)  # expect: [rank-guarded-collective] "`barrier`"
