// Guards around NCCL collectives: communicators by MPI rank, by colour, and behind a checking macro.
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <nccl.h>

#define NCCLCHECK(call)                                        \
  do {                                                         \
    ncclResult_t result_ = (call);                             \
    if (result_ != ncclSuccess) {                              \
      std::printf("failed: %s\n", ncclGetErrorString(result_)); \
      std::exit(1);                                            \
    }                                                          \
  } while (0)

struct Device {
  int rank, size;
  ncclComm_t comm;
  cudaStream_t stream;
};

Device open_device() {
  Device device;
  MPI_Comm_rank(MPI_COMM_WORLD, &device.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &device.size);
  ncclUniqueId id;
  if (device.rank == 0) NCCLCHECK(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
  NCCLCHECK(ncclCommInitRank(&device.comm, device.size, id, device.rank));
  return device;
}

void guarded_bad(float* data) {
  Device device = open_device();
  if (device.rank == 0) {
    NCCLCHECK(ncclAllReduce(data, data, 1, ncclFloat, ncclSum, device.comm, device.stream));  // expect: [rank-guarded-collective] "`all_reduce`"
  }
}

void own_rank_bad(float* data, ncclComm_t comm, cudaStream_t stream) {
  int rank;
  ncclCommUserRank(comm, &rank);
  if (rank == 0) ncclBroadcast(data, data, 1, ncclFloat, 0, comm, stream);  // expect: [rank-guarded-collective] "`broadcast`"
}

void everybody_ok(float* data) {
  Device device = open_device();
  NCCLCHECK(ncclGroupStart());
  NCCLCHECK(ncclAllReduce(data, data, 1, ncclFloat, ncclSum, device.comm, device.stream));
  NCCLCHECK(ncclGroupEnd());
  if (device.rank == 0) std::printf("done\n");
}

void both_sides_ok(float* data, float* zero) {
  Device device = open_device();
  if (device.rank == 0) NCCLCHECK(ncclReduce(data, data, 1, ncclFloat, ncclSum, 0, device.comm, device.stream));
  else NCCLCHECK(ncclReduce(zero, nullptr, 1, ncclFloat, ncclSum, 0, device.comm, device.stream));
}

void own_colour_ok(float* data, ncclComm_t comm, cudaStream_t stream) {
  int rank;
  ncclComm_t half;
  ncclCommUserRank(comm, &rank);
  ncclCommSplit(comm, rank % 2, rank, &half, nullptr);
  if (rank % 2 == 0) ncclAllReduce(data, data, 1, ncclFloat, ncclSum, half, stream);
}
