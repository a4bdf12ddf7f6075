// A branch for each of two ranks and none for others: a program for two.
#include <mpi.h>

void work(int rank);

void both_meet_ok(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; i++) {
    if (rank == 0) {
      work(0);
      MPI_Barrier(MPI_COMM_WORLD);  // silent: [names-two-ranks]
    } else if (rank == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      work(1);
    }
  }
}

void named_by_variables_ok(void) {
  int rank, origin = 0, target = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == origin) MPI_Barrier(MPI_COMM_WORLD);
  else if (rank == target) MPI_Barrier(MPI_COMM_WORLD);
}

void second_does_not_meet_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`barrier`"
  } else if (rank == 1) {
    work(1);
  }
}
