// Ranks that leave before an MPI collective.
#include <mpi.h>
#include <stdlib.h>

int leaves_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) return 0;  // expect: [early-exit-before-collective] "`barrier`"
  MPI_Barrier(MPI_COMM_WORLD);
  return 1;
}

void goes_on_ok(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  switch (rank) {
    case 0: MPI_Barrier(MPI_COMM_WORLD); break;
    default: MPI_Barrier(MPI_COMM_WORLD);
  }
}
