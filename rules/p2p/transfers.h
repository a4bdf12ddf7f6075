// Sends and receives of Python's libraries as the rules about them see them.
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
  bool may_be_to_itself = false;    // by the rules of the library, as long as somebody receives it
  const SeenValue* peer = nullptr;  // null: any sender
  std::optional<int64_t> tag = 0;   // nothing: not known, or any
};

// What Rule::calls needs for them.
inline constexpr std::string_view kTransferCalls[] = {"<moves-message>"};

// All transfers of reported functions, by function.
std::vector<Transfer> transfers_of(const Roles& roles, const Shared& shared);

// Whether which ranks get here depends on the rank.
bool is_rank_guarded(const CallSite& call);

// The one global rank that gets here, if the conditions say so and say nothing else.
std::optional<int64_t> only_rank(const CallSite& call);

}  // namespace ranklint
