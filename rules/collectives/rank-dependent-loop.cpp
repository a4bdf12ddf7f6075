#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::rank_dependent_loop {

constexpr RuleInfo kInfo{.id = "rank-dependent-loop",
                         .code = "RL104",
                         .summary = "a loop around communication runs a number of times that differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

// On which ranks: "fewer times on ranks where `mine` has fewer elements".
static std::string how_often(const Mismatch& m) {
  if (!m.first.by_rounds)
    return "a different number of times on " + m.first.ranks.text + " than on " + m.second.beside.text;
  const bool is_named = !m.first.ranks.beside.empty() && !m.first.steps.empty();
  if (!is_named) return "a different number of times on some ranks than on others";
  return (m.first.steps.front().what == "round" ? "more times on " : "fewer times on ") + m.first.ranks.text;
}

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::RankLoop)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = "this loop runs " + how_often(m) + ", around " + collective_text(m.first.op, m.group);
    finding.help =
        "agree on the number of rounds first (an all_reduce of the maximum or minimum), or pad the shorter ranks";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::rank_dependent_loop
