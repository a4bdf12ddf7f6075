#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::data_dependent_collective {

constexpr RuleInfo kInfo{.id = "data-dependent-collective",
                         .code = "RL105",
                         .summary = "a collective depends on what one rank alone sees",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::LocalData)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = collective_text(m.first.op, m.group) + " depends on what each rank sees by itself" +
                      (m.local_reason.empty() ? "" : " (" + m.local_reason + ")");
    finding.help = "agree on the decision first: all_reduce or broadcast the flag, then branch on the result";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::data_dependent_collective
