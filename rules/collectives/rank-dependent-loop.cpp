#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::rank_dependent_loop {

constexpr RuleInfo kInfo{.id = "rank-dependent-loop",
                         .code = "RL104",
                         .summary = "a loop around communication runs a number of times that differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::RankLoop)) {
    Finding finding = finding_of(kInfo, facts, m);
    const std::string who =
        m.first.by_rounds ? "some ranks than on others" : m.first.ranks.text + " than on " + m.second.beside.text;
    finding.message =
        "this loop runs a different number of times on " + who + ", around " + collective_text(m.first.op, m.group);
    finding.help =
        "agree on the number of rounds first (an all_reduce of the maximum or minimum), or pad the shorter ranks";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::rank_dependent_loop
