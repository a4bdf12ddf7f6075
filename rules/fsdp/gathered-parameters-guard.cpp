#include "rules/wording.h"

namespace ranklint::gathered_parameters_guard {

constexpr RuleInfo kInfo{.id = "gathered-parameters-guard",
                         .code = "RL408",
                         .summary = "sharded parameters are gathered by some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : facts.mismatches) {
    if (kind_of(m) != MismatchKind::GatheredParameters || !is_reported(facts, m.function)) continue;
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = "`" + m.first.called + "` gathers sharded parameters on every rank, and only " + m.first.ranks + verb(m.first.ranks, " get") +
                      " there: " + collective_text(m.first.op, m.group) + " waits for " + m.second.ranks;
    finding.help = "enter it on every rank and put the rank condition inside";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::gathered_parameters_guard
