#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::cross_group_order {

constexpr RuleInfo kInfo{.id = "cross-group-order",
                         .code = "RL111",
                         .summary = "two groups that share ranks are used in opposite order",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::CrossGroup)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = collective_text(m.first.op, m.group) + " is what " + m.first.ranks.text +
                      verb(m.first.ranks, " wait") + " in while " + m.second.beside.text +
                      verb(m.second.beside, " wait") + " in " +
                      collective_text(m.second.op, m.second.steps.back().group);
    finding.help = "use the groups in one order on every rank, whatever runs asynchronously";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::cross_group_order
