#include "rules/wording.h"

namespace ranklint::divergent_shape {

constexpr RuleInfo kInfo{.id = "divergent-shape",
                         .code = "RL110",
                         .summary = "the size or type of a collective's tensor follows from the rank",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : facts.mismatches) {
    if (kind_of(m) != MismatchKind::Size || !is_reported(facts, m.function)) continue;
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = collective_text(m.first.op, m.group) + " is given a tensor of " + m.first_argument + " on one rank and of " + m.second_argument + " on another";
    finding.help = "give every rank a tensor of one size and type: pad to the largest and cut afterwards";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::divergent_shape
