// Loops around MPI collectives.
#include <mpi.h>

void by_rank_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < rank; i++) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-dependent-loop] "`barrier`"
}

void by_size_ok(void) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) MPI_Barrier(MPI_COMM_WORLD);
}

void equal_loops_ok(int n) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
  else
    for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
}
