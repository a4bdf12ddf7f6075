// A rank is said to leave where it does, in C as well.
#include <mpi.h>

void breaks_bad(int steps) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < steps; step++) {
    if (rank == 3)
      break;  // expect: [early-exit-before-collective] "rank 3 leaves here, and the other ranks go on to"
    MPI_Barrier(MPI_COMM_WORLD);  // expect-note: "every rank but 3 waits here"
  }
}

void continues_bad(int steps) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < steps; step++) {
    if (rank < 2)
      continue;  // expect: [early-exit-before-collective] "ranks 0 and 1 leave here, and the other ranks go on to"
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void breaks_beside_else_bad(int more, int *x) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (more) {
    if (rank == 3) {
      break;  // expect: [early-exit-before-collective] "rank 3 leaves here, and the other ranks go on to"
    } else {
      *x *= 2;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
}

void switch_in_a_loop_bad(int steps) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < steps; step++) {
    switch (rank) {
      case 0: break;
      default: MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "issued by every rank but 0 and not by rank 0"
    }
  }
}
