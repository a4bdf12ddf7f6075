#include "analyzer/compare/uniform_guards.h"

#include <algorithm>

#include "analyzer/questions/communication.h"
#include "analyzer/questions/rank_guard.h"

namespace ranklint {
namespace {

// Whether each axis is one of the mesh, not the stand-in for a group that is not known.
bool all_named(const AxisSet& axes) {
  return !axes.empty() && !axes.world &&
         std::ranges::all_of(axes.axes, [](const Axis& axis) { return axis.kind == AxisKind::Mesh; });
}

}  // namespace

void find_uniform_guards(const Query& in, Facts& facts) {
  const SymbolTable& names = in.index().names();
  in.for_each_judged("uniform guards", [&](FunctionKey f) {
    const Summary* s = in.summary(f);
    if (!s || !s->communicates) return;
    std::set<ir::BlockId> told;
    for (ir::BlockId b : s->graph.order())
      for (const Step& step : s->blocks[b.index].steps) {
        const ir::BlockId guard = rank_guard_of(in, *s, b);
        if (!guard.valid() || told.contains(guard)) continue;
        const AxisSet& asked = in.values().variance(s->blocks[guard.index].condition);
        const std::optional<Communication> found = communication_of(in, step);
        if (!found || in.values()[s->blocks[guard.index].condition].local) continue;
        const AxisSet group = *in.as_group(found->group, true);
        if (!all_named(asked) || !all_named(group) || overlap(asked, group)) continue;
        told.insert(guard);
        facts.uniform_guards.push_back({f, in.index().function(f).blocks[guard].terminator.range, step.range,
                                        describe(asked, names), found->model->op, describe(group, names),
                                        found->certainty});
      }
  });
}

}  // namespace ranklint
