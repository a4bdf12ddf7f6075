#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::divergent_collective_order {

constexpr RuleInfo kInfo{.id = "divergent-collective-order",
                         .code = "RL103",
                         .summary = "both sides of a branch communicate, but not alike",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::string describe(const Mismatch& m) {
  const std::string what = collective_text(m.first.op, m.group);
  return m.second.at_collective
             ? what + " on " + m.first.ranks.text + " meets `" + m.second.op + "` on " + m.second.beside.text
             : what + " is issued once more by " + m.first.ranks.text + " than by " + m.second.beside.text;
}

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::DivergentOrder)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = describe(m);
    finding.help = "issue the same collectives in the same order on both sides of the branch";
    report.push_back(std::move(finding));
  }
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::ReduceOp)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = collective_text(m.first.op, m.group) + " reduces by " + m.first_argument +
                      " on one rank and by " + m.second_argument + " on another";
    finding.help = "reduce by one operator on all ranks: no library compares them, and the numbers become a mixture";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::divergent_collective_order
