#include "rules/mismatches.h"

namespace ranklint::gathered_parameters_guard {

constexpr RuleInfo kInfo{.id = "gathered-parameters-guard",
                         .code = "RL408",
                         .summary = "sharded parameters are gathered by some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::GatheredParameters)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = only_some_call(m, "gathers sharded parameters on every rank");
    finding.help = "enter it on every rank and put the rank condition inside";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::gathered_parameters_guard
