// CUDA sources: kernels and launches are read over, the host side is judged.
#include <cuda_runtime.h>
#include <mpi.h>
#include <nccl.h>

__global__ void scale(float* data, float by, int count) {
  __shared__ float first;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) first = data[0];
  __syncthreads();
  if (i < count) data[i] *= by * first;
}

void step_bad(float* data, int count, ncclComm_t comm, cudaStream_t stream) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const dim3 grid((count + 255) / 256);
  scale<<<grid, 256, 0, stream>>>(data, 2.0f, count);
  if (rank == 0) {
    scale<<<1, 1>>>(data, 2.0f, count);
    MPI_Barrier(MPI_COMM_WORLD);  // expect: [rank-guarded-collective] "`barrier`"
  }
  cudaStreamSynchronize(stream);
}

void step_ok(float* data, int count, ncclComm_t comm, cudaStream_t stream) {
  scale<<<1, 256, 0, stream>>>(data, 2.0f, count);
  ncclAllReduce(data, data, count, ncclFloat, ncclSum, comm, stream);
}
