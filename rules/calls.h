// The calls of a project, and those that match a pattern.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/questions/calls.h"

namespace ranklint {

// All calls. Programs start under `if not is_initialized()` as often as without it.
inline std::vector<const CallSite*> calls_and_setup(const CallBook& book) {
  std::vector<const CallSite*> calls;
  for (const CallSite& call : book.all()) calls.push_back(&call);
  for (const CallSite& call : book.in_setup()) calls.push_back(&call);
  return calls;
}

// Whether one of the patterns, see is_call_of, is the call's.
template <typename Patterns>
bool is_call_of_any(const CallSite& call, const Patterns& patterns) {
  return std::any_of(std::begin(patterns), std::end(patterns), [&](std::string_view p) { return is_call_of(call, p); });
}

// A collective of the library that the model is of, or of a part of that: for rules about the group that it makes.
inline bool is_collective_beside(const CallSite& call, const Model& model) {
  const std::string_view callee = call.callee;
  return call.is(ModelKind::Collective) && callee.starts_with(model.library) &&
         callee.substr(model.library.size()).starts_with('.');
}

// Of one of a list of calls, or of pointers to some.
inline const CallSite* pointer_to(const CallSite& call) { return &call; }
inline const CallSite* pointer_to(const CallSite* call) { return call; }

// The first of the calls that is wanted and that every way to this one, in its function, has run before; null: none.
template <typename Calls, typename Wanted>
const CallSite* first_run_before(const Calls& calls, const CallSite& call, const Wanted& wanted) {
  for (const auto& listed : calls) {
    const CallSite* const before = pointer_to(listed);
    if (wanted(*before) && runs_before(*before, call)) return before;
  }
  return nullptr;
}

// The outermost branch around the call that not all ranks take; null: none. A loop says how often, and not which ranks.
inline const SeenGuard* rank_guard(const CallSite& call) {
  for (const SeenGuard& guard : call.guards)
    if (!guard.is_loop && guard.condition.differs_by_rank()) return &guard;
  return nullptr;
}

}  // namespace ranklint
