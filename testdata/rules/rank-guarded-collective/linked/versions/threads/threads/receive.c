#include <mpi.h>
#include <stdlib.h>
void receive(int rank) { MPI_Finalize(); exit(0); }
