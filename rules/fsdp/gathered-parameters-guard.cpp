#include "rules/mismatches.h"

namespace ranklint::gathered_parameters_guard {

constexpr RuleInfo kInfo{.id = "gathered-parameters-guard",
                         .code = "RL408",
                         .summary = "sharded parameters are gathered by some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::GatheredParameters)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = only_some_call(m, "gathers sharded parameters on every rank");
    finding.help = "enter it on every rank and put the rank condition inside";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::gathered_parameters_guard
