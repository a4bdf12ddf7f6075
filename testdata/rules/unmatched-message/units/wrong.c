// The tag is another one when the message is taken.
#include <mpi.h>

extern int tag_of_values;
void open_job(void);
void give(int to, int *value);
void take(int from, int *value);

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  open_job();
  if (rank == 0) give(1, &value);
  tag_of_values = 9;
  if (rank == 1) take(0, &value);
  MPI_Finalize();
  return 0;
}
