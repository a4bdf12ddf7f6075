/* A flag that all ranks agree on tells of each rank's own part: where it is true, no rank has failed by itself. */
#include <mpi.h>
#include <stdio.h>

static int all_true(int flag, MPI_Comm comm) {
  int result;
  MPI_Allreduce(&flag, &result, 1, MPI_INT, MPI_LAND, comm);
  return result;
}

static int some_true(int flag, MPI_Comm comm) {
  int result;
  MPI_Allreduce(&flag, &result, 1, MPI_INT, MPI_LOR, comm);
  return result;
}

static int opens(const char *path) {
  int rank, rc = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *f = fopen(path, "r");
    if (!f)
      rc = -1;
    else
      fclose(f);
  }
  return rc;
}

void all_agree_ok(const char *path) {
  int rc = opens(path);
  if (!all_true(rc == 0, MPI_COMM_WORLD)) rc = -1;
  if (rc != 0) return;
  MPI_Barrier(MPI_COMM_WORLD);
}

void nobody_failed_ok(const char *path) {
  int rc = opens(path);
  if (some_true(rc != 0, MPI_COMM_WORLD)) rc = -1;
  if (rc != 0) return;
  MPI_Barrier(MPI_COMM_WORLD);
}

void some_agree_bad(const char *path) {
  int rc = opens(path);
  if (!some_true(rc == 0, MPI_COMM_WORLD)) rc = -1;
  if (rc != 0) return;  // expect: [early-exit-before-collective] "`barrier`"
  MPI_Barrier(MPI_COMM_WORLD);
}
