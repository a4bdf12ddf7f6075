// Aluminum's collectives, as code calls them. The communicator comes last but for the algorithm.
#pragma once

#include <cstddef>
#include <vector>

namespace Al {

enum class ReductionOperator { sum, prod, min, max, lor, land, lxor, bor, band, bxor, avg };
struct Algorithm {};
void Initialize(int& argc, char**& argv);
void Finalize();
bool Initialized();

#define RANKLINT_AL_BACKEND(Name) \
  class Name { \
   public: \
    class comm_type { \
     public: \
      template <typename... Args> comm_type(Args&&... args); \
      int rank() const; \
      int size() const; \
    }; \
    struct req_type {}; \
    static const req_type null_req; \
  };
RANKLINT_AL_BACKEND(MPIBackend)
RANKLINT_AL_BACKEND(NCCLBackend)
RANKLINT_AL_BACKEND(HostTransferBackend)
RANKLINT_AL_BACKEND(MPICUDABackend)

template <typename Backend, typename T, typename... More> void Allreduce(const T* send, T* recv, size_t count, ReductionOperator op, typename Backend::comm_type& comm, More...);
template <typename Backend, typename T, typename... More> void Reduce(const T* send, T* recv, size_t count, ReductionOperator op, int root, typename Backend::comm_type& comm, More...);
template <typename Backend, typename T, typename... More> void Bcast(T* buffer, size_t count, int root, typename Backend::comm_type& comm, More...);
template <typename Backend, typename T, typename... More> void Allgather(const T* send, T* recv, size_t count, typename Backend::comm_type& comm, More...);
template <typename Backend, typename T, typename... More> void Alltoall(const T* send, T* recv, size_t count, typename Backend::comm_type& comm, More...);
template <typename Backend, typename T, typename... More> void Gather(const T* send, T* recv, size_t count, int root, typename Backend::comm_type& comm, More...);
template <typename Backend, typename T, typename... More> void Scatter(const T* send, T* recv, size_t count, int root, typename Backend::comm_type& comm, More...);
template <typename Backend, typename T, typename... More> void Reduce_scatter(const T* send, T* recv, size_t count, ReductionOperator op, typename Backend::comm_type& comm, More...);
template <typename Backend, typename... More> void Barrier(typename Backend::comm_type& comm, More...);
template <typename Backend, typename T> void Send(const T* buffer, size_t count, int dest, typename Backend::comm_type& comm);
template <typename Backend, typename T> void Recv(T* buffer, size_t count, int source, typename Backend::comm_type& comm);
template <typename Backend> void Wait(typename Backend::req_type& request);
template <typename Backend> bool Test(typename Backend::req_type& request);

}  // namespace Al
