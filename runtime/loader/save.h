// Saves a checkpoint in parts: each rank of a group writes what it holds, and one small file makes it a checkpoint.
//
//     FOLDER/part-3-0.safetensors    what rank 0 wrote in the third save; one file a rank that has anything to write
//     FOLDER/part-3-1.safetensors
//     FOLDER/checkpoint.json         the manifest (manifest.h), written last: the mark that all of it is there
//
// A save into a folder with an older checkpoint writes new files beside the old ones and then replaces the manifest in
// one step; only after that the old files go. So whoever opens the folder finds the old checkpoint or the new one,
// whole, whatever fails or crashes in between; what a crash leaves beside it goes with the next save. (Not meant for
// two saves into one folder at once.)
//
// Where several ranks hold the same part of a tensor (replicas), the lowest of them writes it. Parts that overlap
// otherwise, or leave elements to nobody, are refused before anything is written; a checkpoint with more tensors or
// longer names than its reader takes, before the older one is replaced. Errors are the same on every rank
// (agreement.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/group/process_group.h"
#include "runtime/loader/box.h"

namespace ranklint::runtime {

// A rank's part of a tensor.
struct OwnPart {
  std::string name;
  Shape shape;   // of the whole tensor; shape and type are the same on every rank that holds a part
  Box part;      // in it
  Tensor local;  // part.sizes
};

struct SaveReport {
  uint64_t generation = 0;
  uint64_t written_bytes = 0;  // tensor data, by this rank
};

// Collective over the group. Ranks may hold parts of different tensors, or none. `folder` is made when it is not there.
Result<SaveReport> save_sharded(ProcessGroup& group, const std::string& folder, std::span<const OwnPart> parts,
                                Device device = Device::Host, Site site = Site::here());

}  // namespace ranklint::runtime
