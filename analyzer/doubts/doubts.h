// The reasons to hold a mismatch of two rank classes for merely possible. A mismatch is doubted where the program is
// likely to know more than the walk: it chose ways that exclude each other, or ranks that are not in the group, or a
// class that is told what to do by the other.
#pragma once

#include <vector>

#include "analyzer/doubts/scene.h"

namespace ranklint {

// All that hold, in the order of the table.
std::vector<Doubt> doubts_about(const Scene& scene);

}  // namespace ranklint
