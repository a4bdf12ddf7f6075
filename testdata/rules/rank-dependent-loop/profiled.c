// A library that wraps MPI calls it by the names that profilers leave: `PMPI_Allreduce` is `MPI_Allreduce`.
#include <mpi.h>

void measure_bad(MPI_Comm comm) {
  int go_on = 1;
  while (go_on) {  // expect: [rank-dependent-loop] "holds for more rounds"
    PMPI_Barrier(comm);
    go_on = PMPI_Wtime() < 2.0;
  }
}

void measure_ok(MPI_Comm comm) {
  int go_on = 1;
  while (go_on) {
    PMPI_Barrier(comm);
    go_on = PMPI_Wtime() < 2.0;
    PMPI_Allreduce(MPI_IN_PLACE, &go_on, 1, MPI_INT, MPI_MIN, comm);
  }
}

void count_bad(MPI_Comm comm) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  for (int i = 0; i < rank; i++)  // expect: [rank-dependent-loop] "runs more times"
    PMPI_Barrier(comm);
}
