// Counts and types that follow from the rank.
#include <mpi.h>

void count_bad(double* x, int n) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(x, n + rank, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // expect: [divergent-shape] "count n on one rank and count n + 1 on another"
}

void type_bad(void* x, int n) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const MPI_Datatype type = rank == 0 ? MPI_INT : MPI_DOUBLE;
  MPI_Allreduce(MPI_IN_PLACE, x, n, type, MPI_SUM, MPI_COMM_WORLD);  // expect: [divergent-shape] "type MPI_INT on one rank and type MPI_DOUBLE on another"
}

void counts_ok(double* x, int n, int total) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  else
    MPI_Bcast(x + rank, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const int from = rank * n, to = from + n;
  MPI_Allreduce(MPI_IN_PLACE, x, to - from, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Gather(x, rank == 0 ? 0 : n, MPI_DOUBLE, x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
