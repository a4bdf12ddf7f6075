// A rank's share of something: its ends differ between ranks, its length need not.
#include <mpi.h>

void equal_shares_ok(double* x, int total) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int share = total / size, from = rank * share;
  for (int i = from; i < from + share; i++) MPI_Allreduce(MPI_IN_PLACE, x + i, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = rank * share; i < (rank + 1) * share; i++) MPI_Barrier(MPI_COMM_WORLD);
}

void with_one_more_bad(double* x, int share) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = rank * share; i < (rank + 1) * share + rank; i++)  // expect: [rank-dependent-loop] "`barrier`"
    MPI_Barrier(MPI_COMM_WORLD);
}
