#include "rules/mismatches.h"

namespace ranklint::dcp_guard {

constexpr RuleInfo kInfo{.id = "dcp-guard",
                         .code = "RL506",
                         .summary = "a distributed checkpoint is saved or loaded by some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::Checkpoint)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = only_some_call(m, "plans with every rank who writes and reads what");
    finding.help = "call it on every rank; each writes or reads its own shards";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::dcp_guard
