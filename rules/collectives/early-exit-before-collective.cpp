#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::early_exit_before_collective {

constexpr RuleInfo kInfo{.id = "early-exit-before-collective",
                         .code = "RL102",
                         .summary = "some ranks leave before a collective that the others go on to",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::EarlyExit)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = m.second.ranks + verb(m.second.ranks, " leave") + " here, and " + m.first.ranks + verb(m.first.ranks, " go") + " on to " + collective_text(m.first.op, m.group);
    finding.help = "let every rank of `" + m.group + "` reach the collective, or agree on leaving first";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::early_exit_before_collective
