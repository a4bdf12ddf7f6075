// Aluminum's collectives: with two buffers or one, waiting or not, the communicator is the one named so.
#include <Al.hpp>

template <typename Backend>
void of_any_back_end_bad(typename Backend::comm_type& comm, const float* x, float* y, size_t count) {
  if (comm.rank() == 0) Al::Allreduce<Backend>(x, y, count, Al::ReductionOperator::sum, comm);  // expect: [rank-guarded-collective] "`all_reduce` on `comm`"
}

template void of_any_back_end_bad<Al::MPIBackend>(Al::MPIBackend::comm_type&, const float*, float*, size_t);

void in_place_bad(Al::NCCLBackend::comm_type& comm, float* x, size_t count) {
  if (comm.rank() == 0) Al::Allreduce<Al::NCCLBackend>(x, count, Al::ReductionOperator::sum, comm);  // expect: [rank-guarded-collective] "`all_reduce` on `comm`"
}

void without_waiting_bad(Al::MPIBackend::comm_type& comm, float* x, size_t count) {
  Al::MPIBackend::req_type request;
  if (comm.rank() == 0) Al::NonblockingAllgather<Al::MPIBackend>(x, count, comm, request);  // expect: [rank-guarded-collective] "on `comm`"
  Al::Wait<Al::MPIBackend>(request);
}

void gathered_in_place_bad(Al::MPIBackend::comm_type& comm, float* x, size_t count) {
  if (comm.rank() != 0) Al::Gather<Al::MPIBackend>(x, count, 0, comm);  // expect: [rank-guarded-collective] "`gather` on `comm`"
}

void by_all_ok(Al::MPIBackend::comm_type& comm, float* x, size_t count) {
  if (comm.rank() == 0) x[0] = 1;
  Al::Bcast<Al::MPIBackend>(x, count, 0, comm);
  Al::Allreduce<Al::MPIBackend>(x, count, Al::ReductionOperator::max, comm);
  Al::Barrier<Al::MPIBackend>(comm);
}

// Each rank of the grid's rows takes the same side in its column.
void in_another_group_ok(Al::MPIBackend::comm_type& row, Al::MPIBackend::comm_type& column, float* x, size_t count) {
  Al::Allreduce<Al::MPIBackend>(x, count, Al::ReductionOperator::sum, row);
  if (count > 1) Al::Allreduce<Al::MPIBackend>(x, count, Al::ReductionOperator::sum, column);
}
