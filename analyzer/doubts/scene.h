// What a recogniser of doubts looks at: two classes of ranks that do not agree, one of which waits, and the mismatch
// that was made of it.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "analyzer/execution/walk_state.h"

namespace ranklint {

// What a recogniser has seen, and where; nothing: it does not hold.
using Seen = std::optional<CodePlace>;

inline Seen seen(bool holds, CodePlace place = {}) { return holds ? Seen(place) : std::nullopt; }

inline bool tests_equality(const Value& v) { return v.kind == ValueKind::Binary && is_equality(v.op); }

struct Scene {
  const Query& in;
  Frames& frames;
  Scenario &a, &b;
  const Encounter& e;
  const Mismatch& m;
  SourceRange own;  // where the collective stands, in the function where they diverge

  const ValueStore& values() const { return in.values(); }
  const ProjectIndex& index() const { return in.index(); }
  const Divergence& divergence() const { return *e.state.divergence; }
  const std::vector<std::pair<ValueId, bool>>& choices() const { return e.state.shared.all(); }
  Scenario& scenario(Who who) const { return who == Who::A ? a : b; }
  Scenario& of_waiting() const { return scenario(e.first); }

  const Summary& summary(FrameId frame) const { return *frames[frame].summary; }
  const ir::Function& code(FrameId frame) const { return in.index().function(summary(frame).function); }
  const Step& step_at(const Position& p) const { return summary(p.frame).blocks[p.block.index].steps[p.step]; }
  // Of what is waited in.
  const Model& model() const { return *step_at(e.waiting).event->model; }
  bool is_below_divergence() const { return e.waiting.frame != divergence().at.frame; }

  // The first block of a rank class after the branch where the ranks diverged.
  ir::BlockId side(Who who) const { return divergence().side[who]; }
  // The blocks that only one class comes to before the sides of that branch meet.
  std::set<ir::BlockId> own_side(Who who) const;

  CodePlace guard() const { return {m.function, m.guard}; }
  CodePlace waiting() const { return {summary(e.waiting.frame).function, step_at(e.waiting).range}; }

  // Whether the condition on which they diverged has such a part.
  bool asks(const std::function<bool(ValueId)>& wanted) const {
    return values().find_part(divergence().condition, wanted).valid();
  }
};

}  // namespace ranklint
