"""Requests of mpi4py: the method is known by the object that it is called on, whatever the variable is called."""
import numpy as np
from mpi4py import MPI

everyone = MPI.COMM_WORLD
rank = everyone.Get_rank()
size = everyone.Get_size()


def received_too_late_bad(x):
    buf = np.empty_like(x)
    sending = everyone.Isend(x, dest=(rank + 1) % size)
    everyone.Irecv(buf, source=(rank - 1) % size)  # expect: [unwaited-work] "`recv`"
    sending.Wait()
    return buf


def sent_by_an_object_that_is_gone_bad(x):
    sending = everyone.isend(x, dest=(rank + 1) % size)  # expect: [unwaited-work] "`send`"
    return everyone.recv(source=(rank - 1) % size)


def sum_not_there_yet_bad(x):
    total = np.empty_like(x)
    request = everyone.Iallreduce(x, total)  # expect: [unwaited-work] "`all_reduce`"
    return total + 1


def all_waited_for_ok(x):
    buf = np.empty_like(x)
    requests = [everyone.Isend(x, dest=(rank + 1) % size)]
    requests.append(everyone.Irecv(buf, source=(rank - 1) % size))
    MPI.Request.Waitall(requests)
    return buf


def answered_ok(x):
    everyone.isend(x, dest=(rank + 1) % size)
    return everyone.recv(source=(rank + 1) % size)


def asked_first_ok(x):
    total = np.empty_like(x)
    request = everyone.Iallreduce(x, total)
    while not request.Test():
        pass
    return total + 1


def asked_until_it_is_there_ok(x):
    request = everyone.irecv(source=(rank - 1) % size)
    everyone.send(x, dest=(rank + 1) % size)
    while True:
        is_there, received = request.test()
        if is_there:
            return received
