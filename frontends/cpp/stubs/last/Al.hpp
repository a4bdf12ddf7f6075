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

// Each takes what it sends and what it fills apart, or one buffer for both; waits, or gives a request.
#define RANKLINT_AL_CALL(Name, Apart, One) \
  template <typename Backend, typename T, typename... More> void Name(RANKLINT_AL_UNPACK Apart, typename Backend::comm_type& comm, More... more); \
  template <typename Backend, typename T, typename... More> void Name(RANKLINT_AL_UNPACK One, typename Backend::comm_type& comm, More... more); \
  template <typename Backend, typename T, typename... More> \
  void Nonblocking##Name(RANKLINT_AL_UNPACK Apart, typename Backend::comm_type& comm, typename Backend::req_type& req, More... more); \
  template <typename Backend, typename T, typename... More> \
  void Nonblocking##Name(RANKLINT_AL_UNPACK One, typename Backend::comm_type& comm, typename Backend::req_type& req, More... more);
#define RANKLINT_AL_UNPACK(...) __VA_ARGS__
using Counts = std::vector<size_t>;
RANKLINT_AL_CALL(Allreduce, (const T* sendbuf, T* recvbuf, size_t count, ReductionOperator op), (T* buffer, size_t count, ReductionOperator op))
RANKLINT_AL_CALL(Reduce, (const T* sendbuf, T* recvbuf, size_t count, ReductionOperator op, int root), (T* buffer, size_t count, ReductionOperator op, int root))
RANKLINT_AL_CALL(Allgather, (const T* sendbuf, T* recvbuf, size_t count), (T* buffer, size_t count))
RANKLINT_AL_CALL(Allgatherv, (const T* sendbuf, T* recvbuf, Counts counts, Counts displs), (T* buffer, Counts counts, Counts displs))
RANKLINT_AL_CALL(Alltoall, (const T* sendbuf, T* recvbuf, size_t count), (T* buffer, size_t count))
RANKLINT_AL_CALL(Alltoallv, (const T* sendbuf, Counts send_counts, Counts send_displs, T* recvbuf, Counts recv_counts, Counts recv_displs),
                 (T* buffer, Counts counts, Counts displs))
RANKLINT_AL_CALL(Gather, (const T* sendbuf, T* recvbuf, size_t count, int root), (T* buffer, size_t count, int root))
RANKLINT_AL_CALL(Gatherv, (const T* sendbuf, T* recvbuf, Counts counts, Counts displs, int root), (T* buffer, Counts counts, Counts displs, int root))
RANKLINT_AL_CALL(Scatter, (const T* sendbuf, T* recvbuf, size_t count, int root), (T* buffer, size_t count, int root))
RANKLINT_AL_CALL(Scatterv, (const T* sendbuf, T* recvbuf, Counts counts, Counts displs, int root), (T* buffer, Counts counts, Counts displs, int root))
RANKLINT_AL_CALL(Reduce_scatter, (const T* sendbuf, T* recvbuf, size_t count, ReductionOperator op), (T* buffer, size_t count, ReductionOperator op))
RANKLINT_AL_CALL(Reduce_scatterv, (const T* sendbuf, T* recvbuf, Counts counts, ReductionOperator op), (T* buffer, Counts counts, ReductionOperator op))
template <typename Backend, typename T, typename... More> void Bcast(T* buffer, size_t count, int root, typename Backend::comm_type& comm, More... more);
template <typename Backend, typename T, typename... More>
void NonblockingBcast(T* buffer, size_t count, int root, typename Backend::comm_type& comm, typename Backend::req_type& req, More... more);
template <typename Backend, typename... More> void Barrier(typename Backend::comm_type& comm, More... more);
template <typename Backend, typename... More> void NonblockingBarrier(typename Backend::comm_type& comm, typename Backend::req_type& req, More... more);
template <typename Backend, typename T> void Send(const T* sendbuf, size_t count, int dest, typename Backend::comm_type& comm);
template <typename Backend, typename T> void Recv(T* recvbuf, size_t count, int src, typename Backend::comm_type& comm);
template <typename Backend, typename T> void SendRecv(const T* sendbuf, size_t send_count, int dest, T* recvbuf, size_t recv_count, int src, typename Backend::comm_type& comm);
template <typename Backend, typename T> void SendRecv(T* buffer, size_t count, int dest, int src, typename Backend::comm_type& comm);
#undef RANKLINT_AL_CALL
#undef RANKLINT_AL_UNPACK
template <typename Backend> void Wait(typename Backend::req_type& request);
template <typename Backend> bool Test(typename Backend::req_type& request);

}  // namespace Al
