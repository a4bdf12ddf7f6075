#include "rules/loading/ways_to_calls.h"

namespace ranklint {

std::span<const WayToCall> WaysToCalls::to(FunctionKey f) const {
  if (!by_callee_) {
    by_callee_.emplace();
    for (const auto& [site, call] : in_.watched().ways) {
      if (in_.program().called_for(site.function) != site.function) continue;  // as it was before an edit
      for (Target& target : in_.targets(call.call.callee))
        (*by_callee_)[target.function].push_back({site, &call, std::move(target)});
    }
  }
  const auto found = by_callee_->find(f);
  return found == by_callee_->end() ? std::span<const WayToCall>() : std::span<const WayToCall>(found->second);
}

}  // namespace ranklint
