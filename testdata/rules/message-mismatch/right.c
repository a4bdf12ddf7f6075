#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double wide = value;
  if (rank == 0) MPI_Send(&wide, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&wide, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
