#include "rules/mismatches.h"

namespace ranklint::implicit_collective_on_read {

constexpr RuleInfo kInfo{.id = "implicit-collective-on-read",
                         .code = "RL302",
                         .summary = "a distributed tensor is made whole or compared on some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::TensorRead)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = only_some_call(m, "needs the parts of every rank");
    finding.help = "call it on every rank of the mesh and use the result where it is wanted";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::implicit_collective_on_read
