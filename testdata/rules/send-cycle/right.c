#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0, other = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int peer = rank ^ 1;
  MPI_Sendrecv(&value, 1, MPI_INT, peer, 3, &other, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
