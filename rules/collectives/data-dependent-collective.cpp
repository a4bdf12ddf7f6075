#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::data_dependent_collective {

constexpr RuleInfo kInfo{.id = "data-dependent-collective",
                         .code = "RL105",
                         .summary = "a collective depends on what one rank alone sees",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::LocalData)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = collective_text(m.first.op, m.group) + " depends on what each rank sees by itself" +
                      (m.local_reason.empty() ? "" : " (" + m.local_reason + ")");
    finding.message += if_sharded(m);
    finding.help = "agree on the decision first: all_reduce or broadcast the flag, then branch on the result";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::data_dependent_collective
