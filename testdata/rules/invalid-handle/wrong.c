#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank ? 0 : MPI_UNDEFINED, rank, &part);
  MPI_Bcast(&value, 1, MPI_INT, 0, part);  // expect: [invalid-handle] "is given `MPI_COMM_NULL`"
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
