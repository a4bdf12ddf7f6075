#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) MPI_Isend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);  // expect: [unwaited-request] "the request of `MPI_Isend` on rank 0 is never waited for"
  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
