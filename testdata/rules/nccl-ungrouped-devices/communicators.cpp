// Several devices of one thread.
#include <nccl.h>

void collectives_bad(float** data, int count, cudaStream_t* streams) {
  ncclComm_t comms[4];
  int devices[4] = {0, 1, 2, 3};
  ncclCommInitAll(comms, 4, devices);
  for (int i = 0; i < 4; i++)
    ncclAllReduce(data[i], data[i], count, ncclFloat, ncclSum, comms[i], streams[i]);  // expect: [nccl-ungrouped-devices] "`ncclAllReduce`"
  for (int i = 0; i < 4; i++) ncclCommDestroy(comms[i]);
}

void collectives_ok(float** data, int count, cudaStream_t* streams) {
  ncclComm_t comms[4];
  int devices[4] = {0, 1, 2, 3};
  ncclCommInitAll(comms, 4, devices);
  ncclGroupStart();
  for (int i = 0; i < 4; i++) ncclAllReduce(data[i], data[i], count, ncclFloat, ncclSum, comms[i], streams[i]);
  ncclGroupEnd();
  for (int i = 0; i < 4; i++) ncclCommDestroy(comms[i]);
}

void one_device_ok(float* data, int steps, ncclComm_t comm, cudaStream_t stream) {
  for (int i = 0; i < steps; i++) ncclAllReduce(data, data, 1, ncclFloat, ncclSum, comm, stream);
}
