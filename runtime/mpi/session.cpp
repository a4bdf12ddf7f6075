#include "runtime/mpi/session.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "runtime/mpi/last_words.h"

namespace ranklint::runtime {

bool started_by_mpirun() {
  // OpenMPI's and MPICH's launchers; PMI of either, and of SLURM.
  constexpr std::array kSigns = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  return std::any_of(kSigns.begin(), kSigns.end(), [](const char* sign) { return std::getenv(sign) != nullptr; });
}

// At exit. Inside of a session MPI is not finalized yet. A rank that leaves from its own thread does not get here
// (departure.h), one that leaves from a thread that its body has started does.
static void take_job_down() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "rank %d has left its process inside of its body: the job is aborted\n", rank);
  wait_until_read();
  MPI_Abort(MPI_COMM_WORLD, 1);
}

MpiSession::MpiSession(int* argc, char*** argv) {
  MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided_);
  std::atexit(take_job_down);
}

MpiSession::~MpiSession() { finalize(); }

void MpiSession::finalize() {
  wait_until_read();  // the others end now, and the launcher may end the job with the first that ends badly
  MPI_Finalize();
}

std::string MpiSession::objection(int world_size) const {
  if (provided_ < MPI_THREAD_SERIALIZED) return "this MPI can not be used by two threads, even one after the other";
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == world_size) return {};
  return "the program is for " + std::to_string(world_size) + " ranks and MPI has started " + std::to_string(size) +
         " (of this MPI's own mpirun?)";
}

}  // namespace ranklint::runtime
