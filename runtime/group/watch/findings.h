// The watchdog's sentences: from what the ranks are in to the verdict about it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/group/watch/dispute.h"
#include "runtime/group/watch/unmet.h"

namespace ranklint::runtime {

ErrorKind error_kind_of(VerdictKind kind);

std::optional<Dispute> dispute_among(std::span<const WaitFor> waits);

Verdict stuck_verdict(const std::vector<RankState>& states, const std::vector<bool>& stuck);
Verdict timeout_verdict(const std::vector<RankState>& states, int rank);
Verdict reuse_verdict(const RankState& held, Site at);
// Of a world in which nobody waits any more. What has been left unmet counts where all have returned: a rank that threw
// did not come to its waits, and has its error.
Verdict final_verdict(std::vector<RankState> states, const std::vector<Unmet>& unmet);

}  // namespace ranklint::runtime
