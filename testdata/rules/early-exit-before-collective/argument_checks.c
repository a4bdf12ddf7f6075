// A check of what a rank was given: that its part begins below zero is no rank's own fate.
#include <mpi.h>

static int create(MPI_Comm comm, int lower, int upper) {
  int first = lower;
  if (lower < 0) return 1;
  if (lower > upper + 1) return 1;
  if (upper < -1) return 1;
  return MPI_Bcast(&first, 1, MPI_INT, 0, comm);
}

int own_rows_ok(int nx, int ny) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rows = nx * ny, first = rank * rows;
  return create(MPI_COMM_WORLD, first, first + rows - 1);
}

static int create_behind(MPI_Comm comm, int lower) {
  int first = lower;
  if (lower < 1) return 1;
  return MPI_Bcast(&first, 1, MPI_INT, 0, comm);
}

int from_nothing_bad(int nx, int ny) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return create_behind(MPI_COMM_WORLD, rank * nx * ny);  // expect: [early-exit-before-collective] "`broadcast` on `world`"
}
