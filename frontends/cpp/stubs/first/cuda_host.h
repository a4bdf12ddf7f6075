// Included before every CUDA source: the host side is read, and what only the device knows is declared here.
#ifndef RANKLINT_STUB_CUDA_HOST_H
#define RANKLINT_STUB_CUDA_HOST_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __threadfence();
__device__ void __trap();
template <typename T> __device__ T __shfl_xor_sync(unsigned mask, T value, int lane, int width = 32);
template <typename T> __device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <typename T> __device__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <typename T> __device__ T __ldg(const T *p);
template <typename T> __device__ T __ldcs(const T *p);
template <typename T> __device__ void __stcs(T *p, T value);
template <typename T, typename U> __device__ T atomicAdd(T *p, U value);
template <typename T, typename U> __device__ T atomicMax(T *p, U value);
template <typename T, typename U, typename V> __device__ T atomicCAS(T *p, U compare, V value);

#endif
