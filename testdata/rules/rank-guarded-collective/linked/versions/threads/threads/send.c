#include <mpi.h>
void finish() { MPI_Finalize(); }
