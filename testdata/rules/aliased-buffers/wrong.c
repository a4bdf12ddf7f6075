#include <mpi.h>

int main(int argc, char **argv) {
  int rank, values[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(values, values, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // expect: [aliased-buffers] "sends and receives in the same memory"
  MPI_Finalize();
  return 0;
}
