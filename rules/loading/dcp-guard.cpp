#include "rules/mismatches.h"

namespace ranklint::dcp_guard {

constexpr RuleInfo kInfo{.id = "dcp-guard",
                         .code = "RL506",
                         .summary = "a distributed checkpoint is saved or loaded by some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Checkpoint)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = only_some_call(m, "plans with every rank who writes and reads what");
    finding.help = "call it on every rank; each writes or reads its own shards";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::dcp_guard
