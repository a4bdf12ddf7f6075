// A function that finds what an earlier call of it has written.
#pragma once

#include "analyzer/doubts/scene.h"

namespace ranklint {

// The call in which a rank that waits is taken to find nothing, though all ranks have made the same call before.
Seen finds_what_was_written(const Scene& scene);

}  // namespace ranklint
