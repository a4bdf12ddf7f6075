#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::rank_guarded_collective {

constexpr RuleInfo kInfo{.id = "rank-guarded-collective",
                         .code = "RL101",
                         .summary = "some ranks of a group enter code that communicates on it, others do not",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::RankGuarded)) {
    Finding finding = finding_of(kInfo, shared, m);
    const std::string where = m.first.about == ModelAbout::Forward ? " in the wrapped model's forward pass" : "";
    finding.message = collective_text(m.first.op, m.group) + where + " is issued by " + m.first.ranks.text +
                      " and not by " + m.second.beside.text;
    finding.help =
        "make the call on every rank of `" + m.group + "`, or keep what communicates out of the guarded code";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::rank_guarded_collective
