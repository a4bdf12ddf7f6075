"""What is handed the communicator of one process, or of those of a part, meets no others."""
from mpi4py import MPI

import meshes


class Geometry:
    def curve(self):
        self.comm.Barrier()


def read(cells, comm) -> Geometry:
    return meshes.read(cells, comm)


def build(cells, comm):
    geometry = read(cells, comm)
    geometry.curve()
    return geometry


def built_alone_ok():
    if MPI.COMM_WORLD.rank == 0:
        return build(4, comm=MPI.COMM_SELF)  # silent: [hands-over-part]


def built_by_the_others_ok():
    part = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank > 0)
    if MPI.COMM_WORLD.rank > 0:
        return build(4, comm=part)


def built_for_all_bad():
    if MPI.COMM_WORLD.rank == 0:
        return build(4, comm=MPI.COMM_WORLD)  # expect: [rank-guarded-collective] "`barrier`"
