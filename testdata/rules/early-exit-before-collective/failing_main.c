// What main returns ends the process: with a failure the job is over, without one the others wait.
#include <mpi.h>

int parse(char **argv);

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && !parse(argv)) return -1;
  if (rank == 1 && !parse(argv)) return 0;  // expect: [early-exit-before-collective] "`barrier`"
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
