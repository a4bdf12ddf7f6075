// `model.safetensors.index.json`: which of several safetensors files holds which tensor (transformers' sharded
// checkpoints).
//
//     {"metadata": {"total_size": 8}, "weight_map": {"w": "model-00001-of-00002.safetensors", ...}}
//
// Untrusted: a file's name is a name in the index's own folder, never a path.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/error.h"

namespace ranklint::runtime {

struct ShardIndex {
  std::map<std::string, std::string> weight_map;  // tensor -> file
  std::optional<uint64_t> total_size_bytes;       // as claimed; files in the wild are wrong about it
};

Result<ShardIndex> read_shard_index(const std::string& path);

// Whether `name` names a file of the folder it is looked up in: no separator, not "." or "..", no NUL, not empty.
bool is_plain_file_name(std::string_view name);

}  // namespace ranklint::runtime
