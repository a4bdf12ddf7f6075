#include "rules/wording.h"

namespace ranklint::rank_guarded_wrapper {

constexpr RuleInfo kInfo{.id = "rank-guarded-wrapper",
                         .code = "RL403",
                         .summary = "a model is wrapped for distributed training on some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : facts.mismatches) {
    if (kind_of(m) != MismatchKind::Wrapper || !is_reported(facts, m.function)) continue;
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = "`" + m.first.called + "` sets up the model together with every rank, and only " + m.first.ranks + verb(m.first.ranks, " get") +
                      " there: " + collective_text(m.first.op, m.group) + " waits for " + m.second.ranks;
    finding.help = "wrap the model on every rank of the group";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::rank_guarded_wrapper
