// Tags by structured bindings: the first message is taken, the second is not.
#include <mpi.h>

struct Tags {
  int there, back;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Tags tags = {7, 8};
  auto& [there, back] = tags;
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, there, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, there, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, there, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, back, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: [unmatched-message] "from rank 0 with tag 8 waits forever"
  MPI_Finalize();
}
