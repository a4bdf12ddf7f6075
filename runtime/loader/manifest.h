// The manifest of a checkpoint that ranks have saved in parts (save.h): `checkpoint.json`, whose being there is the
// mark that the checkpoint is complete. It says what torch's distributed checkpoints keep in a pickled `.metadata`, as
// JSON:
//
//     {"format": "ranklint-checkpoint", "version": 1, "generation": 3,
//      "files": {"part-3-0.safetensors": {"size_bytes": 344, "fingerprint": "91c0..."}},
//      "tensors": {"w": {"dtype": "F32", "shape": [8, 4], "chunks": [
//        {"file": "part-3-0.safetensors", "offsets": [0, 0], "sizes": [4, 4]}, ...]}}}
//
// A chunk lies in its file as a tensor of the same name. Chunks of a tensor are disjoint and cover it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/loader/box.h"
#include "runtime/loader/stored_type.h"

namespace ranklint::runtime {

inline constexpr const char* kManifestName = "checkpoint.json";

struct ManifestFile {
  uint64_t size_bytes = 0;
  uint64_t fingerprint = 0;  // SafeTensors::fingerprint
};

struct ManifestChunk {
  std::string file;
  Box box;
};

struct ManifestTensor {
  StoredType type = StoredType::U8;
  Shape shape;
  std::vector<ManifestChunk> chunks;  // without empty ones
};

struct Manifest {
  uint64_t generation = 0;  // grows with every save into the same folder
  std::map<std::string, ManifestFile> files;
  std::map<std::string, ManifestTensor> tensors;
};

std::string to_json(const Manifest& manifest);
// Also checks that the chunks of every tensor are disjoint and cover it. `path` is for messages.
Result<Manifest> parse_manifest(std::string_view text, const std::string& path);
Result<Manifest> read_manifest(const std::string& path);

// Why the boxes are not a partition of the shape; "" when they are. At most 10,000 of them. Of more than five thousand,
// those that lie without any order are refused too: to compare them would take long, and no mesh makes them.
std::string flaw_of_cover(const Shape& shape, const std::vector<Box>& boxes);

}  // namespace ranklint::runtime
