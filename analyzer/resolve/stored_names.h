// Names under which objects keep something.
#pragma once

#include <algorithm>

#include "analyzer/resolve/index.h"

namespace ranklint {

// Whether objects of some class keep something of this name, which is not a method then.
inline bool is_data_attribute(const ProjectIndex& index, Symbol name) {
  return std::ranges::any_of(index.classes(), [&](const ClassInfo& c) { return c.attributes.contains(name); });
}

}  // namespace ranklint
