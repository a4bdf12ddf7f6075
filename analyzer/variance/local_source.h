// What a rank alone sees, by its source. Models and messages have a word for each; a model may have
// another word of its own.
#pragma once

#include <cstdint>
#include <string_view>

namespace ranklint {

enum class LocalSource : uint8_t {
  None,
  Clock,
  FileSystem,
  OwnFile,  // a file that is named after what else one rank alone sees, its host or its clock, or lies on its node
  Random,
  Memory,
  Host,
  Signal,  // that one came
  Batch,   // what it loaded
  Other,
};

inline constexpr std::string_view kOwnFile = "a file of its own";
inline constexpr std::string_view kNodeFile = "a file of its node";
inline constexpr std::string_view kKeptOfShare = "what it keeps of its share";

// The source that goes by the word; None for no word.
LocalSource local_source_named(std::string_view word);

}  // namespace ranklint
