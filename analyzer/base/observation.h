// What was seen of the machine while sources were read, beside the bytes that were handed in: enough to find out later
// whether the same would be seen again.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/digest.h"

namespace ranklint {

struct Observation {
  enum class Kind : uint8_t {
    Entry,         // what lies at the path: a file, a folder or nothing
    Bytes,         // the bytes of the file, and where it lies when links are followed
    Names,         // the names in the folder
    Headers,       // the headers in the folder and in those below
    Unrepeatable,  // the processor, a clock: what need not be the same another time
  };
  Kind kind = Kind::Entry;
  std::string path;  // absolute; empty where there is none
  Digest answer;     // zero: nothing is there, or it cannot be read
  friend auto operator<=>(const Observation&, const Observation&) = default;
};

inline Digest answer_of_entry(bool is_folder) { return {.high = 0, .low = is_folder ? 2U : 1U}; }

// `real` is the path without links.
inline Digest answer_of_bytes(std::string_view bytes, std::string_view real) {
  return Digester().add(bytes).add(real).digest();
}

// `names` in any order.
inline Digest answer_of_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  Digester all;
  for (const std::string& name : names) all.add(name);
  return all.digest();
}

}  // namespace ranklint
