// Ids of NCCL communicators: who makes them, and how they are handed out.
#include <mpi.h>
#include <nccl.h>

void own_bad(ncclComm_t* comm) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ncclUniqueId id;
  ncclGetUniqueId(&id);  // expect: [nccl-own-unique-id] "an id of its own"
  ncclCommInitRank(comm, size, id, rank);
}

void handed_out_ok(ncclComm_t* comm) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ncclUniqueId id;
  ncclGetUniqueId(&id);  // wasteful, not wrong: rank 0's is what all get
  MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclCommInitRank(comm, size, id, rank);
}

void alone_ok(ncclComm_t* comm) {
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  ncclCommInitRank(comm, 1, id, 0);
}
