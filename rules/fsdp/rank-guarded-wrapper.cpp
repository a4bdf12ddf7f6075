#include "rules/mismatches.h"

namespace ranklint::rank_guarded_wrapper {

constexpr RuleInfo kInfo{.id = "rank-guarded-wrapper",
                         .code = "RL403",
                         .summary = "a model is wrapped for distributed training on some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Wrapper)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = only_some_call(m, "sets up the model together with every rank");
    finding.help = "wrap the model on every rank of the group";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::rank_guarded_wrapper
