#include "rules/wording.h"

namespace ranklint::dcp_guard {

constexpr RuleInfo kInfo{.id = "dcp-guard",
                         .code = "RL506",
                         .summary = "a distributed checkpoint is saved or loaded by some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : facts.mismatches) {
    if (kind_of(m) != MismatchKind::Checkpoint || !is_reported(facts, m.function)) continue;
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = "`" + m.first.called + "` plans with every rank who writes and reads what, and only " + m.first.ranks + verb(m.first.ranks, " get") +
                      " there: " + collective_text(m.first.op, m.group) + " waits for " + m.second.ranks;
    finding.help = "call it on every rank; each writes or reads its own shards";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::dcp_guard
