#include "rules/wording.h"

namespace ranklint::rank_guarded_state_dict {

constexpr RuleInfo kInfo{.id = "rank-guarded-state-dict",
                         .code = "RL501",
                         .summary = "a state dictionary that takes part of every rank is asked for on some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : facts.mismatches) {
    if (kind_of(m) != MismatchKind::StateDict || !is_reported(facts, m.function)) continue;
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = "`" + m.first.called + "` gathers or meets on every rank, and only " + m.first.ranks + verb(m.first.ranks, " get") +
                      " there: " + collective_text(m.first.op, m.group) + " waits for " + m.second.ranks;
    finding.help = "ask for the state on every rank and let one of them write it";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::rank_guarded_state_dict
