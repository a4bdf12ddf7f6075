#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0, memory = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  if (rank != 1) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);  // expect: [window-conflict] "use the same window memory"
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
