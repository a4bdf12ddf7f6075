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

void tell_error(int argument);

int between_nothing_bad(int rows, int unit) {
  int rank, first = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank * unit > rows) return 2;  // expect: [early-exit-before-collective] "`broadcast` on `world`"
  return MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static int create_from_first(MPI_Comm comm, int lower, int upper) {
  int first = 0, rank;
  MPI_Comm_rank(comm, &rank);
  if (lower > upper + 1) {
    tell_error(2);
    return 2;
  }
  if (rank == 0) first = lower;
  return MPI_Bcast(&first, 1, MPI_INT, 0, comm);
}

// The last one takes what is left: that it has less than nothing is an error of the caller's. Whoever is refused goes on to
// what all do behind.
int refused_and_summed_ok(int rows) {
  int rank, size, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int share = rows / size, first = share * rank;
  int last = share * (rank + 1) - 1;
  if (rank == size - 1) last = rows - 1;
  create_from_first(MPI_COMM_WORLD, first, last);  // silent: [refuses-arguments]
  return MPI_Allreduce(&last, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
