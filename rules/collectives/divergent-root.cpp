#include "rules/wording.h"

namespace ranklint::divergent_root {

constexpr RuleInfo kInfo{.id = "divergent-root",
                         .code = "RL109",
                         .summary = "the root of a collective differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : facts.mismatches) {
    if (kind_of(m) != MismatchKind::Root || !is_reported(facts, m.function)) continue;
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = collective_text(m.first.op, m.group) + " has root " + m.first_argument + " on one rank and " + m.second_argument + " on another";
    finding.help = "name the same root on every rank; with a sub-group, src and dst are global ranks";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::divergent_root
