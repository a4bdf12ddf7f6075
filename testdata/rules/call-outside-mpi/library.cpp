// A library that is given the arguments of `main` may initialise MPI.
#include <Al.hpp>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  Al::Initialize(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Al::Finalize();
  return 0;
}
