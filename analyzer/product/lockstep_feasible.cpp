// Whether some run of the program takes both ways of a witness: what the two ranks decided on them, each for itself and
// both together, can be so.
#include <algorithm>
#include <array>
#include <set>

#include "analyzer/execution/implied.h"
#include "analyzer/product/lockstep.h"
#include "analyzer/variance/satisfiable.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// What the results of reductions in the terms say of each rank's own part: the clauses that hold for it.
void Lockstep::add_own_parts(const std::function<uint8_t(Who)>& viewer, std::vector<TermLiteral>& taken) const {
  ValueStore& values = in_.values();
  std::set<ValueId> results;
  for (const TermLiteral& literal : taken)
    values.find_part(literal.term, [&](ValueId part) {
      if (own_part_implied_by(values, in_.index(), part).part.valid()) results.insert(part);
      return false;
    });
  for (const ValueId result : results)
    for (const Who who : {A, B}) {
      const OwnPart own = own_part_implied_by(values, in_.index(), result);
      const ValueId part = scenario(who).residual(own.part);
      const std::array<ValueId, 2> clause{own.when_true ? values.negate(result) : result,
                                          own.when_true ? part : values.negate(part)};
      taken.push_back({values.conjunction(false, clause), true, viewer(who)});
    }
}

bool Lockstep::tells_of_failure(ValueId term) const {
  return !came_.empty() &&
         in_.values()
             .find_part(term, [&](ValueId part) { return std::ranges::find(came_, part) != came_.end(); })
             .valid();
}

bool Lockstep::is_feasible(const Encounter& e) const {
  std::vector<TermLiteral> taken;
  for (const auto& [term, holds] : e.state.shared.all()) taken.push_back({term, holds});
  const auto viewer = [&](Who who) { return static_cast<uint8_t>(by_local_ ? 1 + (who == B) : 0); };
  for (const Who who : {A, B}) {
    for (const auto& [term, holds] : e.state[who].own.all()) taken.push_back({term, holds, viewer(who)});
    const Position& at = who == e.first ? e.waiting : e.other;
    std::ranges::copy(implied_at(in_, frames_, scenario(who), at.at_end() ? e.state.divergence->at : at, viewer(who)),
                      std::back_inserter(taken));
  }
  // Whether the handler was taken is no one answer for both.
  std::erase_if(taken, [&](const TermLiteral& literal) { return tells_of_failure(literal.term); });
  add_own_parts(viewer, taken);
  PathAliases aliases = alike_calls(e.state);
  for (TermLiteral& literal : taken) literal.term = aliases.rewrite(in_.values(), literal.term);
  std::ranges::sort(taken);
  const auto repeated = std::ranges::unique(taken);
  taken.erase(repeated.begin(), repeated.end());
  return can_hold_together(in_.values(), taken);
}

// The functions that a rank entered since they diverged, first to last.
std::vector<FrameId> Lockstep::entered_by(const State& state, Who who) const {
  std::vector<FrameId> entered;
  for (TrailId t = state.trail; t.valid(); t = trails_[t].before)
    if (trails_[t].who == who && trails_[t].note.entered.valid()) entered.push_back(trails_[t].note.entered);
  std::ranges::reverse(entered);
  return entered;
}

// One function, with the same arguments on the one's rank and on the other's.
bool Lockstep::are_alike(FrameId of_a, FrameId of_b) const {
  const Frame &a = frames_[of_a], &b = frames_[of_b];
  const auto same = [&](ValueId x, ValueId y) {
    return x == y || (x.valid() && y.valid() && scenario(A).residual(x) == scenario(B).residual(y));
  };
  return a.summary == b.summary && a.part == b.part &&
         std::ranges::equal(a.binding.parameters, b.binding.parameters, same) &&
         std::ranges::equal(a.binding.captures, b.binding.captures, same);
}

// Two ranks that call one function with the same arguments, at different places, find the same: the entry of a cache
// under one key, what is created on first use. The n-th such call of one rank corresponds to the n-th of the other.
PathAliases Lockstep::alike_calls(const State& state) const {
  PathAliases aliases;
  std::vector<FrameId> of_b = entered_by(state, B);
  for (const FrameId a : entered_by(state, A)) {
    const auto b = std::ranges::find_if(of_b, [&](FrameId frame) { return are_alike(a, frame); });
    if (b == of_b.end()) continue;
    if (frames_[*b].binding.path != frames_[a].binding.path)
      aliases.add(frames_[*b].binding.path, frames_[a].binding.path);
    of_b.erase(b);
  }
  return aliases;
}

}  // namespace ranklint
