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

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::DivergentOrder)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = describe(m);
    finding.message += if_sharded(m);
    finding.help = "issue the same collectives in the same order on both sides of the branch";
    findings.push_back(std::move(finding));
  }
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::ReduceOp)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = collective_text(m.first.op, m.group) + " reduces by " + m.first_argument +
                      " on one rank and by " + m.second_argument + " on another";
    finding.help = "reduce by one operator on all ranks: no library compares them, and the numbers become a mixture";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::divergent_collective_order
