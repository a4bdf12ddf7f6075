// Reasons why a mismatch of two rank classes is merely possible. The program may know more than the walk does: the walk
// chose paths that exclude each other, took ranks that are not in the group, or missed that one class commands the
// other.
#pragma once

#include <vector>

#include "analyzer/doubts/scene.h"

namespace ranklint {

// All that hold, in the order of the table.
std::vector<Doubt> doubts_about(const Scene& scene);

}  // namespace ranklint
