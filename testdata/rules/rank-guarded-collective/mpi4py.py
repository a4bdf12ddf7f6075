"""Communicators of mpi4py: the library's constants, kept in a variable or asked at once."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def report_bad(value):
    if rank == 0:
        total = comm.allreduce(value)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"
        print(total)


def asked_at_once_bad(settings):
    if MPI.COMM_WORLD.Get_rank() == 0:
        return MPI.COMM_WORLD.bcast(settings, root=0)  # expect: [rank-guarded-collective] "`broadcast` on `world`"
    return None


def read_state(path):
    if MPI.COMM_WORLD.rank == 0:
        with open(path, "rb") as f:
            return MPI.COMM_WORLD.bcast(f.read())
    return MPI.COMM_WORLD.bcast(None)


def resume_bad(model, path):
    if MPI.COMM_WORLD.rank == 0:
        model.load(read_state(path))  # expect: [rank-guarded-collective] "`broadcast` on `world`"


def resume_ok(model, path):
    state = read_state(path)
    if MPI.COMM_WORLD.rank == 0:
        model.load(state)


def alone_ok(value):
    own = MPI.COMM_SELF
    if rank == 0:
        own.Barrier()
        return own.allreduce(value)
    return value


def both_sides_ok(value):
    if rank == 0:
        comm.bcast(value, root=0)
    else:
        value = comm.bcast(None, root=0)
    return value


def group_of_its_members_ok(value):
    if rank == 0:
        return value
    workers = comm.Create_group(comm.Get_group().Excl([0]))
    workers.Barrier()
    return value


def group_of_all_bad(value):
    if rank == 0:
        return value
    comm.Create(comm.Get_group().Excl([0]))  # expect: [group-creation-not-by-all] "`comm_create`"
    return value
