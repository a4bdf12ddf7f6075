#include <mpi.h>
#include <nccl.h>
#define CHECK(x) do { if ((x) != ncclSuccess) return 1; } while (0)
union Both { int i; float f; };
enum class Kind : char { A, B = 4 };
namespace { int hidden; constexpr int kCount = 1 << 4; }
int send(float* data, ncclComm_t comm, cudaStream_t stream, Kind kind, Both* both) {
  MPI_Request requests[2]; MPI_Status status;
  float buffer[kCount] = {};
  MPI_Isend(buffer + 1, kCount - 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&buffer[2], 1, MPI_FLOAT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests + 1);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(ncclGroupStart());
  CHECK(ncclAllReduce(data, data, 1, ncclFloat, kind == Kind::A ? ncclSum : ncclMax, comm, stream));
  CHECK(ncclGroupEnd());
  static int calls; calls++; hidden = both->i; (&both[0])->f *= 2.0f;
  int* p = &hidden; int& r = *p; r = (int)status.MPI_TAG; delete new int(r);
  return __builtin_expect(r, 1) ?: calls;
}
