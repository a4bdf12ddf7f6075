#include <mpi.h>

extern "C" int setenv(const char* name, const char* value, int overwrite);

int main(int argc, char** argv) {
  setenv("NCCL_BLOCKING_WAIT", "1", 1);  // expect: [renamed-nccl-env]
  setenv("NCCL_DEBUG", "INFO", 1);
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
