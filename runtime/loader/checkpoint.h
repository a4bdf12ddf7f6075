// A checkpoint, wherever its tensors lie: one safetensors file; several with an index (shard_index.h); or the parts
// that ranks have saved (manifest.h). All of them are a set of opened files and, for each tensor, the chunks that make
// it up: one chunk that is the whole tensor in the first two cases.
//
// Opening checks everything that can be known without reading data: every file is there and sound, every tensor is in
// the file it is said to be in and in no other, with the type and shape that the chunk needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/loader/safetensors.h"

namespace ranklint::runtime {

struct StoredChunk {
  size_t file = 0;                   // index into the checkpoint's files
  const TensorInfo* info = nullptr;  // in that file
  Box box;                           // which elements of the tensor it holds
};

struct StoredTensor {
  std::string name;
  StoredType type = StoredType::U8;
  Shape shape;
  std::vector<StoredChunk> chunks;  // disjoint, covering
};

class Checkpoint {
 public:
  // A safetensors file, an index or a manifest (*.json), or a folder: then the first of `checkpoint.json`,
  // `model.safetensors.index.json` and `model.safetensors` that is in it.
  static Result<Checkpoint> open(const std::string& path, const OpenOptions& options = {});

  const std::string& path() const { return path_; }
  const std::map<std::string, StoredTensor, std::less<>>& tensors() const { return tensors_; }
  const StoredTensor* find(std::string_view name) const;
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Of all files' headers and sizes: what ranks compare to know that they read the same checkpoint.
  uint64_t fingerprint() const { return fingerprint_; }
  // The file that holds the tensor (its first chunk), for messages.
  const std::string& file_of(const StoredTensor& tensor) const;

  // Fills `out`, which holds `destination` row-major, with the elements of `part`; `part` lies in `destination`.
  Status read(const StoredTensor& tensor, const Box& part, const Box& destination, std::byte* out) const;
  // Memory that such a read takes for itself.
  uint64_t scratch_bytes_for(const StoredTensor& tensor, const Box& part, const Box& destination) const;

 private:
  static Result<Checkpoint> open_any(const std::string& path, const OpenOptions& options);
  static Result<Checkpoint> open_file(const std::string& path, const OpenOptions& options);
  static Result<Checkpoint> open_index(const std::string& path, const OpenOptions& options);
  static Result<Checkpoint> open_manifest(const std::string& path, const OpenOptions& options);

  Status add_file(const std::string& path, const OpenOptions& options);
  void add_whole(size_t file, const TensorInfo& info);
  Status check_against_index(size_t file);
  void check_total_size(std::optional<uint64_t> claimed_bytes);

  std::string path_;
  std::vector<SafeTensors> files_;
  std::map<std::string, StoredTensor, std::less<>> tensors_;
  std::vector<std::string> warnings_;
  uint64_t fingerprint_ = 0;
};

}  // namespace ranklint::runtime
