// The flight record of one rank: the last operations it was in, kept in a ring so that it costs the same however long
// the job runs. Written out it has the keys of PyTorch's flight recorder (c10d, FlightRecorder.hpp, dump version 2.10),
// so that tools which read those dumps read ours, and what those lack: the rank, the reduction, the root, the split
// sizes, the call's site, what it was made on behalf of, and the verdict.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/group/signature.h"
#include "runtime/group/ticks.h"
#include "runtime/group/verdict.h"

namespace ranklint::runtime {

// A group as the record names it.
struct RecordedGroup {
  uint64_t id = 0;
  std::string name;
  std::vector<int> ranks;
};

// Aligned, since the ranks' recorders lie side by side.
class alignas(64) Recorder {
 public:
  // What few operations have.
  struct Rare {
    std::vector<int64_t> in, out;  // of lists: elements per piece
    std::string implicit_in;
    Shape in_shape, out_shape;  // where the record's do not hold them; both or none
  };

  // What one operation leaves: two cache lines, since a ring of thousands passes through the caches.
  struct alignas(64) Record {
    uint64_t group = 0;
    uint64_t sequence = 0;
    OpType op = OpType::Barrier;
    DType dtype = DType::F32;
    ReduceOp reduce = ReduceOp::Sum;
    int8_t in_dims = -1, out_dims = -1;  // -1: no such tensor
    int32_t peer = -1;                   // global rank of the root, or the other end of a message
    int32_t timeout_ms = 0;              // 0: the world's
    Site site;
    std::array<int32_t, 4> in_shape{}, out_shape{};
    std::unique_ptr<Rare> rare;
    uint64_t created = 0, started = 0, completed = 0;  // ticks; 0: not yet
  };
  static_assert(sizeof(Record) == 128);

  Recorder(int rank, size_t capacity, std::chrono::milliseconds default_timeout)
      : rank_(rank), capacity_(capacity), default_timeout_(default_timeout) {}

  // The id of the new record, from 1. `at`: when, in ticks; reading the clock takes as long as a cache line.
  uint64_t begin(uint64_t group, uint64_t sequence, const Call& call, int peer, uint64_t at = now_ticks());
  void started(uint64_t id) { started(id, now_ticks()); }
  void started(uint64_t id, uint64_t at);
  void completed(uint64_t id) { completed(id, now_ticks()); }  // and started, when nobody has said so
  void completed(uint64_t id, uint64_t at);
  void add_group(RecordedGroup group);

  bool has_completed(uint64_t group, uint64_t sequence) const;  // a collective that is still in the ring
  // Has another rank completed this collective?
  using CompletedElsewhere = std::function<bool(uint64_t group, uint64_t sequence)>;
  std::string to_json(const TickClock& clock, const Verdict& verdict,
                      const CompletedElsewhere& completed_elsewhere) const;

 private:
  Record* find(uint64_t id) {
    if (id == 0 || id + capacity_ <= last_) return nullptr;  // overwritten since
    if (id == last_) return &ring_[last_place_];
    return &ring_[(id - 1) % capacity_];
  }
  void fetch_next() const;

  int rank_;
  size_t capacity_;
  std::chrono::milliseconds default_timeout_;
  uint64_t last_ = 0;  // id
  size_t last_place_ = 0;
  std::vector<Record> ring_;  // record id at (id - 1) % capacity_
  std::vector<RecordedGroup> groups_;
};

inline void Recorder::completed(uint64_t id, uint64_t at) {
  Record* const record = find(id);
  if (!record) return;
  record->completed = at;
  if (record->started == 0) record->started = at;
}

}  // namespace ranklint::runtime
