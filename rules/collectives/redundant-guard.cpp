// Guards that test a rank and are harmless, because the group does not span the axis that they test.
#include <algorithm>

#include "analyzer/questions/communication.h"
#include "analyzer/questions/rank_guard.h"
#include "rules/wording.h"

namespace ranklint::redundant_guard {

constexpr RuleInfo kInfo{.id = "redundant-guard",
                         .code = "RL116",
                         .summary = "a rank guard around communication is uniform in the group",
                         .severity = Severity::Info,
                         .since = "0.1",
                         .no_wait = "nothing goes wrong",
                         .default_on = false};

namespace {

// A guard on a rank around communication on a group that does not span the guard's axes.
struct UniformGuard {
  FunctionKey function;
  SourceRange guard, range;  // the condition; the first call or collective that it decides about
  std::string axes;          // that it tests
  std::string op, group;
  Assurance certainty = Confidence::Certain;
};

// Whether each axis is one of the mesh, not the stand-in for a group that is not known.
bool all_named(const AxisSet& axes) {
  return !axes.empty() && !axes.world &&
         std::ranges::all_of(axes.axes, [](const Axis& axis) { return axis.kind == AxisKind::Mesh; });
}

std::vector<UniformGuard> uniform_guards(const Query& in) {
  std::vector<UniformGuard> guards;
  const SymbolTable& names = in.index().names();
  in.for_each_function_to_check("uniform guards", [&](FunctionKey f) {
    const Summary* s = in.summary(f);
    if (!s || !s->communicates) return;
    std::set<ir::BlockId> reported;
    for (ir::BlockId b : s->graph().order())
      for (const Step& step : s->blocks[b.index].steps) {
        const ir::BlockId guard = rank_guard_of(in, *s, b);
        if (!guard.valid() || reported.contains(guard)) continue;
        const AxisSet& asked = in.values().variance(s->blocks[guard.index].condition);
        const std::optional<Communication> found = communication_of(in, step);
        if (!found || in.values()[s->blocks[guard.index].condition].local) continue;
        const AxisSet group = *in.resolve_group(found->group, Unknown::FreshAxis);
        if (!all_named(asked) || !all_named(group) || overlap(asked, group)) continue;
        reported.insert(guard);
        guards.push_back({f, in.index().function(f).blocks[guard].terminator.range, step.range, describe(asked, names),
                          found->model->op, describe(group, names), found->certainty});
      }
  });
  return guards;
}

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const UniformGuard& g : uniform_guards(in)) {
    if (!is_reported(shared, g.function)) continue;
    Finding finding = finding_at(kInfo, shared, g.function, g.guard, g.certainty);
    finding.message = "all members of `" + g.group + "` take the same side of this guard on `" + g.axes + "`, around " +
                      collective_text(g.op, g.group);
    finding.related.push_back({{finding.primary.path, g.range}, "the guard decides about this"});
    finding.help =
        "nothing is wrong here: say so in a comment, so that a change of the mesh does not turn it into a hang";
    finding.fingerprint_key = g.op + " " + g.group + " " + g.axes;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::redundant_guard
