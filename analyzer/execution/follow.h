// From the way to a mismatch to what every rank of the small world does.
#pragma once

#include "analyzer/execution/replay.h"
#include "analyzer/execution/way.h"

namespace ranklint {

// Sends each rank of the world through the way's root by itself, from its first line to its end.
Replay follow(const Query& query, const World& world, const Way& way);

// The same, of a finding about those that wait there.
Replay replay_at(const Query& query, const Way& way, const World& world, FunctionKey function,
                 const SourceRange& waits);

}  // namespace ranklint
