// Loads a checkpoint on the ranks of a group, each keeping its part of every tensor.
//
// All strategies give the same tensors; they differ in who reads and in what is held at once (M: the parts that this
// rank keeps, b: LoadOptions::buffer_bytes, at most the size of all tensors):
//
//   RankZeroReads         the group's first rank reads, bucket by bucket, and broadcasts     peak M + b
//   EveryRankReads        every rank reads all bytes and keeps its part; no data moves       peak M + b, M when it
//   keeps all EachReadsItsShard     every rank reads its part and nothing else                         peak M
//
// and beside that up to 1 MiB (run_reader.h) where files are read by pread. With an accelerator the buffer is there,
// rank 0 (or whoever reads) has a second one on the host, and a part that is read goes through them: peak M + 2b. The
// cheapest is the last one, which is also the only one that reads each byte no more often than needed.
//
// Failure is one value for all: every step ends in an agreement (agreement.h), so a truncated file, a missing shard, a
// tensor of another type or a disk that fails on one rank is the same error on every rank, and nobody waits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/group/process_group.h"
#include "runtime/loader/checkpoint.h"

namespace ranklint::runtime {

enum class LoadStrategy : uint8_t { RankZeroReads, EveryRankReads, EachReadsItsShard };

std::string_view name_of(LoadStrategy strategy);  // "rank 0 reads", ...

// A tensor that the model has.
struct Wanted {
  std::string name;
  Shape shape;  // of the whole tensor, and its type: the same on every rank
  DType dtype = DType::F32;
  std::optional<Box> part = {};     // what this rank keeps; nullopt: all of it
  std::optional<Tensor> into = {};  // memory for the part, on LoadOptions::device; nullopt: new memory
};

struct LoadOptions {
  OpenOptions open = {};
  uint64_t buffer_bytes = 2u << 20;  // at least 8; the same on every rank; small enough to stay in cache
  uint64_t memory_limit_bytes = 0;   // refuse, before allocating, a LoadStats::peak_bytes beyond it; 0: no limit
  bool refuse_unexpected = false;    // a tensor in the checkpoint that the model does not have is an error
  Device device = Device::Host;      // of the group, and of new tensors
};

struct LoadStats {
  uint64_t kept_bytes = 0;       // of all parts of this rank
  uint64_t peak_bytes = 0;       // the most tensor data that was held at once, kept parts included; headers are not
  uint64_t read_bytes = 0;       // from files, by this rank
  uint64_t broadcast_bytes = 0;  // sent or received
};

struct Loaded {
  std::map<std::string, Tensor> tensors;
  LoadStats stats;
  std::vector<std::string> warnings;  // of the checkpoint, on ranks that read it
};

// Collective over the group. `path`: as for Checkpoint::open. Errors are the same on every rank; what the group's own
// collectives throw (a rank that never came) passes through.
Result<Loaded> load(ProcessGroup& group, const std::string& path, std::span<const Wanted> wanted, LoadStrategy strategy,
                    const LoadOptions& options = {}, Site site = Site::here());

}  // namespace ranklint::runtime
