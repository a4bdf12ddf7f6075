// The order of calls on the world and on groups made by colour.
#include <mpi.h>

void other_group_each_ok(int value) {
  int rank, sum;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank % 2) {
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, half);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, half);
  }
  MPI_Comm_free(&half);
}

void one_colour_bad(int value) {
  int rank, sum;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank % 4) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, half);
  } else {
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, half);  // expect: [cross-group-order] "wait in"
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&half);
}
