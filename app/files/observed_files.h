// Reads files and looks what there is, and keeps what was seen: a result that rests on it holds as long as the same is
// seen.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/base/observation.h"
#include "analyzer/base/result.h"
#include "app/files/read.h"

namespace ranklint::app {

// May be asked from several threads at once.
class ObservedFiles {
 public:
  Result<std::string> read(const std::string& path, uint64_t largest_bytes = kLargestSourceBytes);
  bool is_file(const std::string& path);
  bool exists(const std::string& path);
  // The headers in the folder and in those below, sorted; of very many the first that are met.
  std::vector<std::string> headers_below(const std::string& folder);
  // Notes what other code saw.
  void note(Observation seen);
  // Whether the same is seen now as then. It is looked at once in a run.
  bool sees(const Observation& then);

  // All that was seen, sorted. Nothing: it was not the same throughout, or need not be the same again.
  std::optional<std::vector<Observation>> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, Observation::Kind>, Digest> seen_;
  bool is_repeatable_ = true;
};

// Whether the same is seen now.
bool are_still_so(std::span<const Observation> seen);

}  // namespace ranklint::app
