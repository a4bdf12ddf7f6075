// Communicators that are used after they were ended.
#include <nccl.h>

struct Trainer {
  ncclComm_t comm;
  cudaStream_t stream;
  float* data;
};

void twice_bad(ncclComm_t comm) {
  ncclCommDestroy(comm);
  ncclCommDestroy(comm);  // expect: [nccl-use-after-destroy] "`ncclCommDestroy` has ended"
}

void member_bad(Trainer* trainer) {
  ncclCommAbort(trainer->comm);
  ncclAllReduce(trainer->data, trainer->data, 1, ncclFloat, ncclSum, trainer->comm, trainer->stream);  // expect: [nccl-use-after-destroy] "`ncclCommAbort` has ended"
}

void made_again_ok(Trainer* trainer, ncclUniqueId id, int size, int rank) {
  ncclCommAbort(trainer->comm);
  ncclCommInitRank(&trainer->comm, size, id, rank);
  ncclAllReduce(trainer->data, trainer->data, 1, ncclFloat, ncclSum, trainer->comm, trainer->stream);
}

void on_failure_ok(Trainer* trainer, bool failed) {
  if (failed) {
    ncclCommAbort(trainer->comm);
    return;
  }
  ncclAllReduce(trainer->data, trainer->data, 1, ncclFloat, ncclSum, trainer->comm, trainer->stream);
}

void each_ok(ncclComm_t* comms, int count) {
  for (int i = 0; i < count; i++) ncclCommDestroy(comms[i]);
}
