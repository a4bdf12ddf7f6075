// What the programs beside it call: their ranks come here, and what is static here is not what is static there.
#include <mpi.h>

int tag_of_values = 7;
MPI_Comm job;

static int tag(void) { return tag_of_values; }

void open_job(void) { job = MPI_COMM_WORLD; }
void give(int to, int *value) { MPI_Send(value, 1, MPI_INT, to, tag(), job); }
void take(int from, int *value) { MPI_Recv(value, 1, MPI_INT, from, tag(), job, MPI_STATUS_IGNORE); }  // expect: [unmatched-message] "from rank 0 with tag 9 waits forever"
