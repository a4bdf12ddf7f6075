#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD);  // expect: [differing-collective-arguments] "the root is 0 on rank 0 and 1 on rank 1"
  MPI_Finalize();
  return 0;
}
