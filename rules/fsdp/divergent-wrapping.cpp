#include "rules/fsdp/divergent-wrapping.h"

#include <algorithm>

#include "analyzer/questions/calls.h"
#include "analyzer/resolve/dotted.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::divergent_wrapping {

constexpr RuleInfo kInfo{.id = "divergent-wrapping",
                         .code = "RL402",
                         .summary = "ranks wrap different models, or a model with different arguments",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "the values that differ matter to how the model is cut"};

// Not of devices, groups and functions that make parameters: these may differ.
constexpr std::string_view kCalls[] = {"<given-alike>"};

static Finding finding_about(const Shared& shared, const CallSite& call, const SeenArgument& a) {
  Finding finding = finding_at(kInfo, shared, call.function, call.range, lower_of(Confidence::High, call.certainty));
  finding.message =
      "`" + a.keyword + "` differs between ranks" + (a.value.axes.empty() ? "" : " of `" + a.value.axes + "`") +
      ": they build different units, and the constructor's broadcasts or the first forward pass do not match";
  finding.help = "give every rank the same value; only devices and param_init_fn may depend on the rank";
  finding.replay = replay_templates::on_other_terms({std::string(last_part(call.callee)), "world", finding.primary});
  finding.fingerprint_key = a.keyword + " wrapping";
  return finding;
}

static Finding finding_about(const Shared& shared, const ChangedModel& changed) {
  Finding finding = finding_at(kInfo, shared, changed.function, changed.change, Confidence::Likely);
  finding.message = "only some ranks change which parameters are trained of the model that all give `" +
                    changed.wrapper + "`: gradients are exchanged of as many, in the same order, on each";
  finding.related.push_back({location_at(shared, changed.function, changed.guard), "ranks diverge here"});
  finding.related.push_back({location_at(shared, changed.function, changed.wrap), "wrapped here"});
  finding.help = "change the model alike on every rank";
  finding.replay = replay_templates::on_other_terms({changed.wrapper, "world", finding.related.back().location});
  finding.fingerprint_key = "changed model";
  return finding;
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const ChangedModel& changed : changed_models(in))
    if (is_reported(shared, changed.function)) findings.push_back(finding_about(shared, changed));
  for (const CallSite& call : shared.calls.all()) {
    const RoleEntry* wraps = role_of(in.roles(), call, Role::GivenAlike);
    if (!wraps || !is_reported(shared, call.function)) continue;
    const std::vector<const RoleEntry*> given = in.roles().all(wraps->name, Role::GivenAlike);
    for (const SeenArgument& a : call.arguments)
      if (a.value.diverges() &&
          std::ranges::any_of(given, [&](const RoleEntry* entry) { return entry->argument.keyword == a.keyword; }))
        findings.push_back(finding_about(shared, call, a));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::divergent_wrapping
