// One rank works for a long time while the others wait for it in a collective: a download, data that are prepared, code
// that is compiled. Nothing hangs, unless the work takes longer than the operations of the group may.
#include <algorithm>
#include <cmath>
#include <optional>

#include "analyzer/program/given_for.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/durations.h"
#include "rules/wording.h"

namespace ranklint::long_work_before_collective {

constexpr RuleInfo kInfo{
    .id = "long-work-before-collective",
    .code = "RL704",
    .summary =
        "one rank downloads or prepares data while the others wait in a collective, and may outlast its time-out",
    .severity = Severity::Info,
    .since = "0.1",
    .no_wait = "the job ends while one rank works",
    .premise = "the work takes longer than the time-out of the group"};

constexpr std::string_view kCalls[] = {"<takes-long>", "<collective>", "<takes-timeout>", "<makes-duration>"};

namespace {

constexpr double kLong = 3600;  // seconds: an explicit time-out this long allows for such work

// How long the ranks of a group wait for each other.
struct Patience {
  bool is_long = false;           // for as long as such work takes, or as long as a setting says
  std::optional<double> seconds;  // the shortest that is known
};

// What the calls that make groups say of that: the default group of a program, and each other group by itself.
class Timeouts {
 public:
  explicit Timeouts(const Query& in) : in_(in) {
    for (const auto& [site, call] : in.watched().calls) {
      const RoleEntry* role = in.roles().find(in.callee_path(call.call.callee), Role::TakesTimeout);
      if (!role) continue;
      const ValueId given = in.argument(call.call, role->argument);
      Patience patience;
      if (given.valid() && in.values()[given].kind != ValueKind::None) {
        patience.seconds = seconds_given_to(in, call);
        patience.is_long = !patience.seconds || *patience.seconds >= kLong;
      }
      made_.push_back({site, !role->note.empty(), patience});
    }
  }

  // Of the group that a collective waits on.
  Patience of(const CallSite& waits) const {
    const ModuleKey module = in_.index().functions()[waits.function].module;
    const Summary* s = in_.summary(waits.function);
    const ValueId group = s ? group_of(*s, waits) : ValueId{};
    if (!group.valid()) return common(module, true);
    const std::vector<ProgramPoint> makers = makers_of_group(FunctionCode(in_.index(), *s), waits);
    for (const Made& made : made_) {
      const ProgramPoint place{made.site.block, made.site.instruction};
      const bool is_here = made.site.function == waits.function && std::ranges::find(makers, place) != makers.end();
      if (!made.is_default && (is_here || comes_from(group, made.site))) return made.patience;
    }
    return common(module, is_default(group));
  }

 private:
  struct Made {
    Site site;
    bool is_default = false;
    Patience patience;
  };

  // Invalid: the event is about none, or not known.
  ValueId group_of(const Summary& s, const CallSite& call) const {
    for (const Step& step : s.blocks[call.block.index].steps)
      if (step.event && in_.site(step.site).instruction == call.instruction) return step.event->group;
    return {};
  }

  // The calls of the function from which what is given for the group comes.
  std::vector<ProgramPoint> makers_of_group(const FunctionCode& code, const CallSite& waits) const {
    const Model* model = waits.model;
    const ir::Instruction& call = code.ir.blocks[waits.block].instructions[waits.instruction];
    const ir::ExprId given =
        model ? given_for(code.ir, code.text, call, model->group.argument.position, model->group.argument.keyword)
              : ir::ExprId{};
    return given.valid() ? derivation_of(code, given, {waits.block, waits.instruction}).calls
                         : std::vector<ProgramPoint>{};
  }

  // A new group of all ranks is one by itself, and all that is known of it is its ranks.
  bool is_default(ValueId group) const {
    const std::optional<AxisSet> axes = in_.resolve_group(group, Unknown::Nothing);
    return axes && axes->is_world();
  }

  // Whether the group has an axis that the call made.
  bool comes_from(ValueId group, const Site& site) const {
    const auto made_there = [&](const Axis& axis) { return is_made_at(in_, axis.origin, site); };
    const std::optional<AxisSet> axes = in_.resolve_group(group, Unknown::Nothing);
    return axes && std::ranges::any_of(axes->axes, made_there);
  }

  // Of the programs that the module is part of; of all where none of these makes such a group.
  Patience common(ModuleKey module, bool of_default) const {
    const std::vector<ModuleKey> around = in_.program().sharding().files_around(module);
    const auto counts = [&](const Made& made, bool anywhere) {
      const ModuleKey made_in = in_.index().functions()[made.site.function].module;
      return made.is_default == of_default && (anywhere || std::ranges::find(around, made_in) != around.end());
    };
    const bool anywhere = std::ranges::none_of(made_, [&](const Made& made) { return counts(made, false); });
    Patience all;
    for (const Made& made : made_) {
      if (!counts(made, anywhere)) continue;
      all.is_long |= made.patience.is_long;
      if (made.patience.seconds && (!all.seconds || *made.patience.seconds < *all.seconds))
        all.seconds = made.patience.seconds;
    }
    return all;
  }

  const Query& in_;
  std::vector<Made> made_;
};

const SeenGuard* guard_of_some_ranks(const CallSite& call) {
  const auto found = std::ranges::find_if(call.guards, [](const SeenGuard& guard) {
    return !guard.is_loop && !guard.tests_last_round && guard.condition.differs_by_rank();
  });
  return found == call.guards.end() ? nullptr : &*found;
}

// The same branch, or another one that asks the same.
bool lets_through(const SeenGuard& a, const SeenGuard& b) {
  return a.holds == b.holds && (a.range == b.range || a.condition.term == b.condition.term);
}

// Where the others wait meanwhile: further down, and not under the condition that lets this rank work.
const CallSite* waiting_place(const Shared& shared, const CallSite& work, const SeenGuard& guard) {
  for (const CallSite& other : shared.calls.in(work.function)) {
    const bool waits = other.is(ModelKind::Collective) && work.range < other.range;
    const bool is_inside =
        std::ranges::any_of(other.guards, [&](const SeenGuard& g) { return lets_through(g, guard); });
    if (waits && !is_inside) return &other;
  }
  return nullptr;
}

std::string for_how_long(const Patience& patience) {
  if (!patience.seconds) return "for the group's time-out at most";
  const bool in_minutes = *patience.seconds >= 60 && std::fmod(*patience.seconds, 60) == 0;
  const long count = std::lround(*patience.seconds / (in_minutes ? 60 : 1));
  return "for " + std::to_string(count) + (in_minutes ? " minute" : " second") + (count == 1 ? "" : "s") + " at most";
}

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const Timeouts timeouts(in);
  for (const CallSite& work : shared.calls.all()) {
    const RoleEntry* role = in.roles().find(work.callee, Role::TakesLong);
    if (!role || (role->argument.present() && !work.argument(role->argument)) || !is_reported(shared, work.function))
      continue;
    const SeenGuard* guard = guard_of_some_ranks(work);
    const CallSite* waits = guard ? waiting_place(shared, work, *guard) : nullptr;
    if (!waits) continue;
    const Patience patience = timeouts.of(*waits);
    if (patience.is_long) continue;
    const std::string name(last_part(work.callee));
    Finding finding =
        finding_at(kInfo, shared, work.function, work.range, lower_of(Confidence::Likely, work.certainty));
    finding.message = "only the ranks with `" +
                      (guard->condition.spelled.empty() ? "a condition" : guard->condition.spelled) + "` run `" + name +
                      "`; the others wait in the collective behind it, " + for_how_long(patience);
    finding.related.push_back({{finding.primary.path, guard->range}, "only under this condition"});
    finding.related.push_back({{finding.primary.path, waits->range}, "the others wait here"});
    finding.help = "prepare the data before the job, or wait on a gloo group with a timeout that is long enough";
    finding.fingerprint_key = work.callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::long_work_before_collective
