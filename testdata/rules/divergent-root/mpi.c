// Roots of MPI collectives.
#include <mpi.h>

void two_roots_bad(int value) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int root = rank == 0 ? 0 : 1;
  MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);  // expect: [divergent-root] "root"
}

void one_root_ok(int value, int root) { MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD); }
