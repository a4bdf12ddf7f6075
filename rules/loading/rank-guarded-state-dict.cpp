// A state dictionary needs every rank for two reasons: its model is known to be wrapped, and then the comparison of
// ranks has reported it; or only the class is known to wrap models with FSDP and to read the state of one in another
// method.
#include <algorithm>

#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::rank_guarded_state_dict {

constexpr RuleInfo kInfo{.id = "rank-guarded-state-dict",
                         .code = "RL501",
                         .summary = "a state dictionary that takes part of every rank is asked for on some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "the model is sharded where this runs"};

constexpr std::string_view kCalls[] = {"<gives-state-dict>", "<shards-model>", "<gives-whole>", "<gathers-parameters>",
                                       "<gives-whole-state>"};

// A wrapping that nothing but configuration decides about.
static bool wraps(const Roles& roles, const CallSite& call) {
  return role_of(roles, call, Role::ShardsModel) &&
         std::none_of(call.guards.begin(), call.guards.end(),
                      [](const SeenGuard& g) { return g.condition.diverges(); });
}

// `model.state_dict()` below conditions on the rank and nothing else: another condition may test whether it is wrapped.
static bool tests_one_rank(const Query& in, const CallSite& call) {
  if (call.model || call.guards.empty() || !call.contexts.empty() ||
      !in.roles().play(call.callee, Role::GivesStateDict))
    return false;
  const size_t dot = call.callee.rfind('.');
  return dot != std::string::npos && in.priors().suggest(call.callee.substr(0, dot), NameMeaning::Model) &&
         std::all_of(call.guards.begin(), call.guards.end(), [](const SeenGuard& g) {
           return !g.is_loop && g.condition.differs_by_rank() && g.condition.local.empty();
         });
}

static const CallSite* wrapping_in_class(const Roles& roles, const Shared& shared, const CallSite& call) {
  const ClassKey owner = shared.index->functions()[call.function].owner;
  if (!owner.valid()) return nullptr;
  const CallSite* found = nullptr;
  for (const CallSite& other : shared.calls.all()) {
    if (shared.index->functions()[other.function].owner != owner) continue;
    const auto plays = [&](Role role) { return role_of(roles, other, role) != nullptr; };
    if (other.function == call.function &&
        (plays(Role::GivesWhole) || plays(Role::GathersParameters) || plays(Role::GivesWholeState)))
      return nullptr;
    if (!found && wraps(roles, other)) found = &other;
  }
  return found;
}

static void check_classes(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  for (const CallSite& call : shared.calls.all()) {
    if (!tests_one_rank(in, call) || !is_reported(shared, call.function)) continue;
    const CallSite* wrapping = wrapping_in_class(in.roles(), shared, call);
    if (!wrapping) continue;
    const Location at = location_at(shared, call.function, call.range);
    const bool is_reported_there = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
      return f.primary.path == at.path && f.primary.as_checked == at.as_checked &&
             f.primary.range.line == at.range.line;
    });
    if (is_reported_there) continue;
    Finding finding = finding_at(kInfo, shared, call.function, call.range, Confidence::Likely);
    finding.message =
        "only some ranks ask for the state of a model that this class shards with FSDP: each parameter is gathered "
        "from all ranks, or only this rank's part is saved";
    finding.related.push_back({location_at(shared, wrapping->function, wrapping->range), "models are sharded here"});
    finding.related.push_back({location_at(shared, call.function, call.guards.back().range), "ranks diverge here"});
    finding.help =
        "gather the state on every rank (`get_model_state_dict` with `full_state_dict=True`) and let one of them write "
        "it";
    finding.fingerprint_key = "state_dict of a class";
    findings.push_back(std::move(finding));
  }
}

// Whether the call that they wait in communicates in some set-ups only: where the model is sharded.
static bool depends_on_sharding(const Query& in, const Mismatch& m) {
  if (m.first.steps.empty()) return false;
  const PathStep& call = m.first.steps.back();
  const Summary* s = in.summary(call.function);
  return s && std::ranges::any_of(s->blocks, [&](const BlockSteps& block) {
           return std::ranges::any_of(block.steps, [&](const Step& step) {
             return step.range == call.range && step.event && step.event->model->conditional;
           });
         });
}

// The same, resting on that the model is sharded where no file of the program says so.
static Mismatch supposed_sharded(const Query& in, Mismatch m) {
  const ProjectIndex& index = in.index();
  if (!in.program().sharding().reach(index.functions()[m.function].module))
    m.certainty.assume({.kind = AssumptionKind::ModelSharded,
                        .subject = m.first.op,
                        .place = {m.first.steps.back().function, m.first.steps.back().range}});
  return m;
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::StateDict)) {
    const bool if_sharded = depends_on_sharding(in, m);
    Finding finding = finding_of(kInfo, shared, if_sharded ? supposed_sharded(in, m) : m);
    finding.message = only_some_call(
        m, if_sharded ? "gathers or meets on every rank if the model is sharded" : "gathers or meets on every rank");
    finding.help = "ask for the state on every rank and let one of them write it";
    findings.push_back(std::move(finding));
  }
  check_classes(in, shared, findings);
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::rank_guarded_state_dict
