// A folder of bytes by key, which outlives the run: what is in it may always be lost, and is never wrong.
//
// Each entry is a file. It is written under another name and then renamed, so that a reader sees all of it or nothing,
// however many processes write. It begins with its key and a digest of what follows: a damaged, truncated or foreign
// entry counts as absent. The folder holds a mark of ours (CACHEDIR.TAG,
// https://bford.info/cachedir) and keeps itself out of git; a folder that holds anything else and no mark is left
// alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/base/digest.h"
#include "analyzer/base/result.h"

namespace ranklint::app {

class Store {
 public:
  // `folder` is absolute. It is made with the first entry; empty: nothing is kept.
  explicit Store(std::string folder, uint64_t most_bytes = kMostBytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  bool is_off() const { return folder_.empty(); }
  // Makes the folder and marks it, unless it is there. False: it cannot be, or it holds other things.
  bool prepare() const;
  // Nothing: there is no good entry.
  std::optional<std::string> get(const Digest& key) const;
  // Where it cannot be written, nothing is kept.
  void put(const Digest& key, std::string_view bytes) const;
  // Drops the entries that were used the longest time ago when all are larger than `most_bytes`. To be called once,
  // when all is put.
  void trim() const;

 private:
  static constexpr uint64_t kMostBytes = uint64_t{256} << 20;

  std::string path_of(const Digest& key) const;

  std::string folder_;
  uint64_t most_bytes_;
};

// Whether the folder holds a store of ours.
bool is_store(const std::string& folder);

// Removes such a folder with all that is in it.
std::optional<Error> remove_store(const std::string& folder, const std::string& shown);

}  // namespace ranklint::app
