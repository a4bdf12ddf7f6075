"""Code that is being typed: what stands around an error may be read otherwise than it is meant."""
from mpi4py import MPI

comm = MPI.COMM_WORLD


def around_an_error_bad(images, rank, size):
    whole = [0.0] * len(images)

    for image in range(rank, len(images), size)  # expect: [partial-parse]
        print(image)
        parts, whole[image] = read(images[image])

    whole = comm.allreduce(whole)  # silent: [syntax-error]

    return whole


def beside_an_error_bad(images):
    comm.allreduce(sum(images))  # expect: [lost-result] "`all_reduce`"
