// From the way to a mismatch to what every rank of the small world does.
#pragma once

#include "analyzer/execution/decision_trace.h"
#include "analyzer/execution/replay.h"
#include "analyzer/mesh/world.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// Sends each rank of the world through the way's root by itself, from its first line to its end.
Replay execute_ranks(const Query& query, const World& world, const DecisionTrace& trace);

// The same, of a finding about those that wait there.
Replay replay_at(const Query& query, const DecisionTrace& trace, const World& world, FunctionKey function,
                 const SourceRange& waits);

}  // namespace ranklint
