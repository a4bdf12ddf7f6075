// Collectives on the way out of an error.
#include <mpi.h>
#include <stdio.h>

enum { SUCCESS, ERROR };

int find(int rank, const int *costs, int count);

int choose_ok(MPI_Comm comm, const int *costs, int count) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    int best = find(rank, costs, count);
    if (best == -1) {
      printf("nothing fits\n");
      MPI_Barrier(comm);  // silent: [gives-up]
      return ERROR;
    }
  }
  return SUCCESS;
}

int choose_bad(MPI_Comm comm, const int *costs, int count) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    int best = find(rank, costs, count);
    if (best == -1) printf("nothing fits\n");
    MPI_Barrier(comm);  // expect: [rank-guarded-collective] "`barrier`"
  }
  return SUCCESS;
}

int fails_before_bad(MPI_Comm comm, const int *costs, int count) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0 && find(rank, costs, count) == -1) return ERROR;  // expect: [early-exit-before-collective] "`barrier`"
  MPI_Barrier(comm);
  return SUCCESS;
}

int says_whether_it_did_bad(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    MPI_Barrier(comm);  // expect: [rank-guarded-collective] "`barrier`"
    return 1;
  }
  return 0;
}

int ends_in_an_error_bad(MPI_Comm comm, int *all, const int *own) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    MPI_Allreduce(own, all, 1, MPI_INT, MPI_SUM, comm);  // expect: [rank-guarded-collective] "`all_reduce`"
    return SUCCESS;
  }
  return -1;
}
