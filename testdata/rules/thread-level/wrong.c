#include <mpi.h>

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel
  {
    MPI_Barrier(MPI_COMM_WORLD);  // expect: [thread-level] "called by several threads"
  }
  MPI_Finalize();
  return 0;
}
