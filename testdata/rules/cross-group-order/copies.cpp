// A copy of a communicator has its members and an order of its own: two of them are taken in one order by all ranks.
#include <mpi.h>

void original_and_copy_bad() {
  int rank;
  MPI_Comm copy;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);  // expect: [cross-group-order] "`copy`"
    MPI_Barrier(copy);
  } else {
    MPI_Barrier(copy);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&copy);
}

void two_copies_bad(double* x) {
  int rank;
  MPI_Comm first, second;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  MPI_Comm_rank(first, &rank);
  if (rank % 2 == 0) {
    MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, first);  // expect: [cross-group-order] "`first`"
    MPI_Bcast(x, 1, MPI_DOUBLE, 0, second);
  } else {
    MPI_Bcast(x, 1, MPI_DOUBLE, 0, second);
    MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, first);
  }
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
}

void one_order_ok(double* x) {
  int rank;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_rank(copy, &rank);
  if (rank == 0) {
    MPI_Bcast(x, 1, MPI_DOUBLE, 0, copy);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Bcast(x, 1, MPI_DOUBLE, 0, copy);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&copy);
}

void all_in_the_copy_ok(double* x) {
  int rank, size;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_rank(copy, &rank);
  MPI_Comm_size(copy, &size);
  if (rank < size) MPI_Barrier(copy);
  if (rank == 0) MPI_Send(x, 1, MPI_DOUBLE, size - 1, 0, copy);
  MPI_Comm_free(&copy);
}

// Neither waits where it is: both are under way when the ranks come to their waits.
void both_immediate_ok(int rank, int* a, int* b, int* x, int* y) {
  MPI_Comm copy;
  MPI_Request requests[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0) {
    MPI_Iallreduce(a, x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(b, y, 1, MPI_INT, MPI_SUM, copy, &requests[1]);
  } else {
    MPI_Iallreduce(b, y, 1, MPI_INT, MPI_SUM, copy, &requests[1]);
    MPI_Iallreduce(a, x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&copy);
}
