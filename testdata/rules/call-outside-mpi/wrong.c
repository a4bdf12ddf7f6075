#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) return 0;  // the last line of main is told
  MPI_Finalize();
  return 0;
}  // expect: [call-outside-mpi] "rank 1 ends without `MPI_Finalize`"
