#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::cross_group_order {

constexpr RuleInfo kInfo{.id = "cross-group-order",
                         .code = "RL111",
                         .summary = "two groups that share ranks are used in opposite order",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "both groups have more than one rank"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::CrossGroup)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = collective_text(m.first.op, m.group) + " is what " + m.first.ranks.text +
                      verb(m.first.ranks, " wait") + " in while " + m.second.beside.text +
                      verb(m.second.beside, " wait") + " in " +
                      collective_text(m.second.op, m.second.steps.back().group);
    finding.help = "use the groups in one order on every rank, whatever runs asynchronously";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::cross_group_order
