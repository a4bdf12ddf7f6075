// The rank as the launcher sets it in the environment.
#include <mpi.h>
#include <stdlib.h>

void open_mpi_bad(void) {
  const int rank = atoi(getenv("OMPI_COMM_WORLD_RANK"));
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`barrier`"
}

void slurm_bad(void) {
  char *end;
  const long rank = strtol(getenv("SLURM_PROCID"), &end, 10);
  if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`barrier`"
}

void setting_ok(void) {
  const char *verbose = getenv("VERBOSE");
  if (verbose && atoi(verbose) > 1) MPI_Barrier(MPI_COMM_WORLD);
  const int size = atoi(getenv("SLURM_NTASKS"));
  if (size > 1) MPI_Barrier(MPI_COMM_WORLD);
}
