// Guards on the number of ranks: all decide alike, also where only a large job comes by.
#include <mpi.h>

void large_bad(int value) {
  int rank, size, sum, n = 2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank % 2) n = 1;
  if (n == 1 && size > 256) MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`reduce`"
}

void large_ok(int value) {
  int size, sum;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 256) MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (size < 1000) MPI_Barrier(MPI_COMM_WORLD);
}
