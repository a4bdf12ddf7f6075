#include "analyzer/execution/rounds.h"

#include <algorithm>

#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

std::optional<int64_t> constant_turns(const ValueStore& values, const ProjectIndex& index, ValueId more) {
  if (derived_of(values, index, more) != Derived::MoreRounds) return std::nullopt;
  return length_of(values, index, values.child(more, 0));
}

bool goes_over_nothing(const ValueStore& values, const ProjectIndex& index, ValueId more) {
  return derived_of(values, index, more) == Derived::MoreRounds && is_empty_list(values, values.child(more, 0));
}

void Rounds::begin(FrameId frame, ir::BlockId head, int64_t rounds) {
  const auto place =
      std::ranges::find_if(of_, [&](const OfLoop& l) { return std::pair(l.frame, l.head) >= std::pair(frame, head); });
  if (place != of_.end() && place->frame == frame && place->head == head)
    place->begun = rounds;
  else
    of_.insert(place, {frame, head, rounds});
}

std::optional<int64_t> Rounds::begun(FrameId frame, ir::BlockId head) const {
  for (const OfLoop& loop : of_)
    if (loop.frame == frame && loop.head == head) return loop.begun;
  return std::nullopt;
}

void Rounds::keep_around(const Frames& frames, Position at) {
  if (of_.empty()) return;
  std::vector<OfLoop> kept;
  for (; at.frame.valid(); at = frames.after_call(at.frame))
    for (const OfLoop& loop : of_) {
      if (loop.frame != at.frame) continue;
      const bool on_the_way_in = loop.head == at.block && at.entering;
      if (!on_the_way_in && frames[at.frame].summary->graph().lies_in_loop(at.block, loop.head)) kept.push_back(loop);
    }
  std::ranges::sort(
      kept, [](const OfLoop& x, const OfLoop& y) { return std::pair(x.frame, x.head) < std::pair(y.frame, y.head); });
  of_ = std::move(kept);
}

uint64_t Rounds::hash() const {
  uint64_t hash = 0;
  for (const OfLoop& loop : of_)
    hash = ((hash ^ loop.frame.index) * 31 + loop.head.index) * 1099511628211ULL + static_cast<uint64_t>(loop.begun);
  return hash;
}

}  // namespace ranklint
