// A job: n ranks that run the same body, and the boundary where their failures become values.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/group/process_group.h"
#include "runtime/group/verdict.h"

namespace ranklint::runtime {

enum class Mode : uint8_t {
  Relaxed,      // a send may complete before its receive (up to `eager_bytes`); as fast as can be
  Synchronous,  // every collective synchronises all members and a send waits for its receive: the worst case that the
                // standards allow, in which unsafe programs show
  OneQueue,  // and each rank's asynchronous operations over all groups run one after another, as on one hardware queue
};

struct WorldOptions {
  Mode mode = Mode::Relaxed;
  uint64_t schedule_seed = 0;  // not 0: random short delays and yields before each call, from this seed
  std::chrono::milliseconds default_timeout{std::chrono::minutes(30)};
  size_t eager_bytes = size_t{64} << 10;  // Relaxed: a send up to this size may complete before its receive
  size_t recorder_entries = 4096;         // flight record per rank
  bool check_buffers = true;              // notice tensors that are changed before the wait (asynchronous operations)
  // How long a verdict is held back while a rank still computes that may come to the same place: of that rank's own
  // time (watch/own_time.h), however loaded the machine is; 30 s at most.
  std::chrono::milliseconds settle{100};
  Device device = Device::Host;  // where tensors of the default group must be; see `any_device`
  bool any_device = true;
  // Ranks as threads: called once, as soon as there is a verdict other than Ok that ends the world, by the thread that
  // found it and under the watchdog's lock. Others may compute on, but who waits is told when this has returned. It
  // must not throw, nor wait for a rank.
  std::function<void(const Verdict&)> on_verdict = {};

  // The time-out of an operation that asks for this one.
  std::chrono::milliseconds in_force(std::chrono::milliseconds asked) const {
    return asked.count() == 0 ? default_timeout : asked;
  }
};

class RankContext;

struct WorldReport {
  Verdict verdict;
  std::vector<std::optional<Error>> errors;  // per rank: how its body ended, nullopt = returned
  std::vector<std::string> flight_records;   // per rank: JSON with the keys of PyTorch's flight recorder
  bool ok() const { return verdict.kind == VerdictKind::Ok; }
};

// Runs `body` as each of `world_size` ranks, a thread each, and returns when all have ended. A rank that throws, leaves
// or waits forever takes the world down with a named error: those that wait are told at once, one that computes in its
// next call. So a rank that computes forever keeps the report forever; `on_verdict` hears of it before. Throws
// RankError InvalidArgument for fewer ranks than one.
WorldReport run_world(int world_size, const std::function<void(RankContext&)>& body, const WorldOptions& options = {});

// A program of one body: `PROGRAM [--schedules N]` runs it N times, each with other delays; with `--records PREFIX`
// each rank's flight record of the last run is left in PREFIX0, PREFIX1, ...; `PROGRAM --ranks` prints `world_size`.
// Exit code: 0 ok; 1 another verdict, whose JSON is on standard output (of rank 0); 2 usage, or records that can not be
// written. Of threads the text of a verdict that ends the world is on standard error as soon as it is known, since a
// rank may still compute for long.
//
// In a program that is linked with runtime_mpi_openmpi or runtime_mpi_mpich, whose `run_program` takes the place of the
// one for threads, and started by that MPI's `mpirun -np WORLD_SIZE`, each process is one rank. The verdicts are the
// same. What differs: `settle` is at least a second; a rank that computes for 10 s after that is aborted with the job;
// Mode::OneQueue is as Mode::Synchronous. Not started by an `mpirun`, such a program runs threads.
int run_program(int argc, char** argv, int world_size, const std::function<void(RankContext&)>& body,
                const WorldOptions& options = {});

// What a rank's body sees of its world. One per rank, used by one thread at a time, and gone with the body; groups made
// of it may be kept, but are of use only while the others run.
class RankContext {
 public:
  virtual ~RankContext() = default;
  virtual int rank() const = 0;
  virtual int world_size() const = 0;
  virtual ProcessGroup& world() = 0;
  // Collective over the WORLD: every rank calls it, in the same order, with the same ranks, members or not. A rank that
  // is no member gets a group whose operations are refused.
  virtual ProcessGroup new_group(std::vector<int> ranks, std::string name, Site site = Site::here()) = 0;
  // As MPI_Comm_split on the world: ranks of one colour form a group, ordered by (key, rank). Negative colour: none.
  virtual ProcessGroup split(int color, int key, std::string name, Site site = Site::here()) = 0;
};

}  // namespace ranklint::runtime
