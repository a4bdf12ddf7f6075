// What a frontend made of a file as bytes, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/observation.h"
#include "analyzer/project/project.h"

namespace ranklint::app {

// A file as it was lowered, and what was seen of the machine meanwhile.
struct KeptSource {
  std::vector<Observation> seen;
  LoweredSource source;
};

// Without `LoweredSource::broken`: nothing is kept of what a bug of ours broke.
std::string pack_source(const KeptSource& kept);

// Nothing: the bytes are not those of a lowered file.
std::optional<KeptSource> unpack_source(std::string_view bytes);

}  // namespace ranklint::app
