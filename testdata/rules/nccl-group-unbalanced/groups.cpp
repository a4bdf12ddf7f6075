// Groups of NCCL calls that are left open, or closed without being opened.
#include <cstdio>
#include <cstdlib>
#include <nccl.h>

#define NCCLCHECK(call)                            \
  do {                                             \
    ncclResult_t result = (call);                  \
    if (result != ncclSuccess) return result;      \
  } while (0)

ncclResult_t checked_ok(float* data, int count, ncclComm_t comm, cudaStream_t stream) {
  NCCLCHECK(ncclGroupStart());
  for (int i = 0; i < count; i++) NCCLCHECK(ncclAllReduce(data + i, data + i, 1, ncclFloat, ncclSum, comm, stream));
  NCCLCHECK(ncclGroupEnd());
  return ncclSuccess;
}

int early_bad(float* data, int count, ncclComm_t comm, cudaStream_t stream) {
  ncclGroupStart();  // expect: [nccl-group-unbalanced] "stays open"
  if (count == 0) return 1;
  ncclAllReduce(data, data, count, ncclFloat, ncclSum, comm, stream);
  ncclGroupEnd();
  return 0;
}

void guarded_start_bad(float* data, int count, ncclComm_t comm, cudaStream_t stream) {
  if (count > 1) ncclGroupStart();
  ncclAllReduce(data, data, count, ncclFloat, ncclSum, comm, stream);
  ncclGroupEnd();  // expect: [nccl-group-unbalanced] "no group was opened"
}

void nested_ok(float* data, int count, ncclComm_t comm, cudaStream_t stream) {
  ncclGroupStart();
  ncclGroupStart();
  ncclAllReduce(data, data, count, ncclFloat, ncclSum, comm, stream);
  ncclGroupEnd();
  if (count < 0) std::abort();
  ncclGroupEnd();
}

int launch(float* data, int device);

int many_devices_ok(float* data, int devices) {
  if (devices > 1) ncclGroupStart();
  for (int i = 0; i < devices; i++) {
    const int failed = launch(data, i);
    if (failed != 0) return failed;
  }
  if (devices > 1) ncclGroupEnd();
  return 0;
}

struct Group {
  Group() { ncclGroupStart(); }
  ~Group() { ncclGroupEnd(); }
};

void scoped_ok(float* data, int count, ncclComm_t comm, cudaStream_t stream) {
  Group group;
  if (count == 0) return;
  ncclAllReduce(data, data, count, ncclFloat, ncclSum, comm, stream);
}
