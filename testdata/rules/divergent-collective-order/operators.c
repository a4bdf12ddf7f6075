// Reductions by an operation that follows from the rank.
#include <mpi.h>

void chosen_bad(double* x, double* y, int n) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(x, y, n, MPI_DOUBLE, rank ? MPI_SUM : MPI_MAX, 0, MPI_COMM_WORLD);  // expect: [divergent-collective-order] "by MPI_MAX on one rank and by MPI_SUM on another"
}

void two_calls_bad(double* x, double* y, int n) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank)
    MPI_Reduce(x, y, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(x, y, n, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);  // expect: [divergent-collective-order] "by MPI_MAX on one rank"
}

void configured_ok(double* x, double* y, int n, int largest) {
  MPI_Reduce(x, y, n, MPI_DOUBLE, largest ? MPI_MAX : MPI_SUM, 0, MPI_COMM_WORLD);
}
