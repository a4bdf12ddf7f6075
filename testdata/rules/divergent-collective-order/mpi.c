// Other MPI collectives on the two sides of a branch.
#include <mpi.h>

void other_call_bad(int value) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);  // expect: [divergent-collective-order] "meets `barrier`"
  else MPI_Barrier(MPI_COMM_WORLD);
}
