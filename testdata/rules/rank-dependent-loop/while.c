// Loops that count by hand, and loops over constants on both sides.
#include <mpi.h>

void other_count_bad(void) {
  int rank, i = 1, j = 10;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank % 2) {
    while (i < 10) {
      MPI_Barrier(MPI_COMM_WORLD);
      i++;
    }
  } else {
    while (j < 20) {
      MPI_Barrier(MPI_COMM_WORLD);  // expect: [divergent-collective-order] "once more"
      j++;
    }
  }
}

void equal_count_ok(void) {
  int rank, i = 0, j = 10;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank % 2) {
    while (i < 10) {
      MPI_Barrier(MPI_COMM_WORLD);
      i++;
    }
  } else {
    while (j < 20) {
      MPI_Barrier(MPI_COMM_WORLD);
      j++;
    }
  }
}

void by_rank_bad(void) {
  int rank, i = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (i < rank) {  // expect: [rank-dependent-loop] "`barrier`"
    MPI_Barrier(MPI_COMM_WORLD);
    i++;
  }
}

void skips_ok(int n) {
  int i = 0, value = 0;
  while (i < n) {
    i++;
    if (value) continue;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}
