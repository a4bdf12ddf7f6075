// bench_collectives [ranks] [bytes...]: this runtime, checks on, beside plain loops between threads (direct_peer.cpp),
// gloo and the installed MPI, in one run. A ratio above 1 says how many times longer the other took.
//
// Not by Google Benchmark, as the other programs here are: what is timed is a loop that all ranks are in together, with
// the same number of rounds and a barrier before it, one runtime's right after another's so that the ratios are of one
// moment, and MPI's ranks are other processes. Its own loops know nothing of each other.
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "bench/collectives/peer.h"

namespace {

using namespace ranklint::bench;
using Figures = std::map<std::pair<int, size_t>, double>;

// What bench_collectives_mpi, which lies beside this program, prints under mpirun; empty where there is none.
Figures mpi_figures(const std::string& program, int ranks, const std::vector<size_t>& sizes) {
  Figures figures;
  const std::string mpi = program + "_mpi";
  if (access(mpi.c_str(), X_OK) != 0) return figures;
  std::string command = "mpirun --allow-run-as-root --oversubscribe -np " + std::to_string(ranks) + " " + mpi;
  for (const size_t size : sizes) command += " " + std::to_string(size);
  FILE* lines = popen(command.c_str(), "r");
  if (!lines) return figures;
  int op = 0;
  size_t size = 0;
  double taken = 0;
  while (std::fscanf(lines, "%d %zu %lf", &op, &size, &taken) == 3) figures[{op, size}] = taken;
  pclose(lines);
  return figures;
}

void print_other(std::optional<double> other, double ours) {
  if (other)
    std::printf(" %11.2f %6.2fx", *other, *other / ours);
  else
    std::printf(" %11s %7s", "-", "");
}

void print_row(Op op, int ranks, size_t size, const Figures& mpi) {
  const double ours = runtime_microseconds(ranks, op, size);
  const auto found = mpi.find({static_cast<int>(op), size});
  std::printf("%-14s %9zu %11.2f", kOpNames[static_cast<size_t>(op)].data(), size, ours);
  for (const Loops loops : {Loops::Prototype, Loops::Checked, Loops::Bare})
    print_other(direct_microseconds(loops, ranks, op, size), ours);
  print_other(found == mpi.end() ? std::nullopt : std::optional(found->second), ours);
#ifdef RANKLINT_BENCH_GLOO
  print_other(gloo_microseconds(ranks, op, size), ours);
#endif
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<size_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {64, 4096, 65536, size_t{1} << 20, size_t{4} << 20, size_t{64} << 20};
  const Figures mpi = mpi_figures(argv[0], ranks, sizes);
  std::printf("%d ranks, microseconds a call\n%-14s %9s %11s %19s %19s %19s %19s %19s\n", ranks, "operation", "bytes",
              "ours", "prototype", "and checks", "bare loops", "MPI", "gloo");
  for (const Op op : kOps)
    for (const size_t size : sizes)
      if (op != Op::Barrier || size == sizes.front()) print_row(op, ranks, size, mpi);
  return 0;
}
