// Who is said to issue a collective is who does, in C as well.
#include <mpi.h>

void even_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank % 2 == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "issued by even ranks and not by odd ranks"
}

void below_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 4) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "issued by ranks 0-3 and not by the other ranks"
}

void all_but_first_bad(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "issued by every rank but 0 and not by rank 0"
}

void upper_half_bad(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank >= size / 2) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "issued by ranks where `rank >= size / 2` and not by the other ranks"
}
