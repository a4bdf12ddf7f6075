#include "analyzer/variance/local_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/variance/values.h"

namespace ranklint {

LocalSource local_source_named(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, LocalSource>, 10> kWords{{
      {"", LocalSource::None},
      {"clock", LocalSource::Clock},
      {"file system", LocalSource::FileSystem},
      {kOwnFile, LocalSource::OwnFile},
      {kNodeFile, LocalSource::OwnFile},
      {"random", LocalSource::Random},
      {"memory", LocalSource::Memory},
      {"host", LocalSource::Host},
      {"a signal", LocalSource::Signal},
      {ValueStore::kBatch, LocalSource::Batch},
  }};
  const auto* const found = std::ranges::find(kWords, word, &std::pair<std::string_view, LocalSource>::first);
  return found == kWords.end() ? LocalSource::Other : found->second;
}

}  // namespace ranklint
