// Who leaves a function goes on to what its caller does, and meets others there that never come.
#include <mpi.h>
#include <stdio.h>

int make_file(void);

static int body(int rank) {
  if (rank > 0) goto done;
  if (make_file() < 0) {
    printf("no file\n");
    return 1;  // expect: [early-exit-before-collective] "rank 0 leaves here, and the other ranks go on to `barrier`"
  }
done:
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}

int run_bad(void) {
  int rank, errors;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  errors = body(rank);
  MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return errors;
}

int jumps_bad(MPI_Comm comm, const int *values, const int *wanted, int count) {
  int rank, errors = 0;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < count; i++) {
    if (values[i] != wanted[i] + rank) {
      errors++;
      goto done;  // expect: [early-exit-before-collective] "leave here, and the other ranks go on to `barrier`"
    }
  }
  MPI_Barrier(comm);
done:
  return errors;
}
