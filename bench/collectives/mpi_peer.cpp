// The same operations over the installed MPI; bench_collectives starts it under mpirun and reads "operation bytes
// microseconds" lines from it. Arguments: sizes in bytes.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/collectives/peer.h"

namespace {

using ranklint::bench::Op;

struct Rank {
  int rank = 0, ranks = 1, count = 0;
  std::vector<float> a, b;

  void once(Op op) {
    const int piece = count / ranks;
    switch (op) {
      case Op::AllReduce: MPI_Allreduce(a.data(), b.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); return;
      case Op::AllGather: MPI_Allgather(a.data(), piece, MPI_FLOAT, b.data(), piece, MPI_FLOAT, MPI_COMM_WORLD); return;
      case Op::ReduceScatter:
        MPI_Reduce_scatter_block(a.data(), b.data(), piece, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        return;
      case Op::AllToAll: MPI_Alltoall(a.data(), piece, MPI_FLOAT, b.data(), piece, MPI_FLOAT, MPI_COMM_WORLD); return;
      case Op::Broadcast: MPI_Bcast(a.data(), count, MPI_FLOAT, 0, MPI_COMM_WORLD); return;
      case Op::RingShift:
        MPI_Sendrecv(a.data(), count, MPI_FLOAT, (rank + 1) % ranks, 7, b.data(), count, MPI_FLOAT,
                     (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
      case Op::Barrier: MPI_Barrier(MPI_COMM_WORLD); return;
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Rank self;
  MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &self.ranks);
  for (int i = 1; i < argc; ++i) {
    const size_t size_bytes = std::strtoull(argv[i], nullptr, 10);
    self.count = static_cast<int>(size_bytes / sizeof(float)) / self.ranks * self.ranks;
    self.a.assign(static_cast<size_t>(self.count), 1);
    self.b.assign(static_cast<size_t>(self.count), 0);
    for (const Op op : ranklint::bench::kOps) {
      const double taken =
          ranklint::bench::best_microseconds(size_bytes, [] { MPI_Barrier(MPI_COMM_WORLD); }, [&] { self.once(op); });
      if (self.rank == 0) std::printf("%d %zu %.3f\n", static_cast<int>(op), size_bytes, taken);
    }
  }
  MPI_Finalize();
  return 0;
}
