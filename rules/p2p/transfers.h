// Sends and receives of torch.distributed as the rules about them see them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/project/shared.h"
#include "analyzer/questions/calls.h"

namespace ranklint {

struct Transfer {
  const CallSite* call = nullptr;
  bool sends = false;
  bool blocks = false;              // send and recv; isend and irecv return at once
  const SeenValue* peer = nullptr;  // null: any sender
  int64_t tag = 0;
};

// What Rule::calls needs for them.
inline constexpr std::string_view kTransferCalls[] = {"<moves-message>"};

// All transfers of reported functions, by function. Those with a tag that is not known are left out.
std::vector<Transfer> transfers_of(const Roles& roles, const Shared& shared);

// Whether which ranks get here depends on the rank.
bool is_rank_guarded(const CallSite& call);

// The one global rank that gets here, if the conditions say so and say nothing else.
std::optional<int64_t> only_rank(const CallSite& call);

}  // namespace ranklint
