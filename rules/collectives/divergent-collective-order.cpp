#include "rules/wording.h"

namespace ranklint::divergent_collective_order {

constexpr RuleInfo kInfo{.id = "divergent-collective-order",
                         .code = "RL103",
                         .summary = "both sides of a branch communicate, but not alike",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : facts.mismatches) {
    if (kind_of(m) != MismatchKind::DivergentOrder || !is_reported(facts, m.function)) continue;
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = collective_text(m.first.op, m.group) + " on " + m.first.ranks + " meets `" + m.second.op + "` on " + m.second.ranks;
    finding.help = "issue the same collectives in the same order on both sides of the branch";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::divergent_collective_order
