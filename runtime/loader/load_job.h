// What one rank does in a `load`, between two agreements: each function here is a step that touches only this rank.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/loader/buckets.h"
#include "runtime/loader/load.h"
#include "runtime/loader/memory_meter.h"

namespace ranklint::runtime {

class LoadJob {
 public:
  LoadJob(const std::string& path, std::span<const Wanted> wanted, LoadStrategy strategy, const LoadOptions& options,
          bool reads);

  // Looks at the request, opens the checkpoint where this rank reads, and compares the two.
  Status open();
  uint64_t request_fingerprint() const;     // of what must be the same on every rank
  uint64_t checkpoint_fingerprint() const;  // 0 where this rank does not read

  // Only when all ranks have opened alike: a rank that does not read knows by that alone that the shapes are those of
  // the files, and that to plan for them is no more than the files are worth.
  Status allocate();

  Buckets buckets() const { return {buffered_, options_.buffer_bytes}; }
  // Reads a bucket; after it, `buffer_of` holds it.
  Status read_bucket(const Bucket& bucket);
  // Where a bucket lies on its way: U8, on the group's device. A part of the buffer, or its place in what this rank
  // keeps.
  Tensor buffer_of(const Bucket& bucket) const;
  // Copies what this rank keeps out of the buffer, where it does not lie in its place already.
  void keep(const Bucket& bucket);
  // The strategies without a transfer: everything that this rank reads.
  Status read_all();

  void count_broadcast(const Bucket& bucket) { stats_.broadcast_bytes += bucket.size_bytes; }
  Loaded finish();

 private:
  Status check_request() const;
  Status check_wanted(const Wanted& wanted) const;
  Status check_stored() const;
  Status check_stored(const Wanted& wanted) const;
  Status check_unexpected() const;
  uint64_t planned_bytes() const;
  Box part_of(size_t tensor) const;
  bool is_direct(size_t tensor) const;
  std::optional<uint64_t> place_of(const Bucket& bucket) const;
  uint64_t scratch_bytes_for(size_t tensor, const Box& part) const;
  void plan();

  const std::string& path_;
  std::span<const Wanted> wanted_;
  LoadStrategy strategy_;
  const LoadOptions& options_;
  bool reads_;

  std::optional<Checkpoint> checkpoint_;
  std::vector<size_t> direct_;                     // tensors that are read into their place
  std::vector<BoxToMove> buffered_;                // everything else, by way of buckets
  uint64_t buffer_bytes_ = 0, scratch_bytes_ = 0;  // the most that a bucket, and that a read, takes
  std::vector<Tensor> kept_;
  Tensor buffer_, host_buffer_;  // the same tensor where the group's device is the host
  MemoryMeter memory_;
  LoadStats stats_;
};

}  // namespace ranklint::runtime
