#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::rank_dependent_loop {

constexpr RuleInfo kInfo{.id = "rank-dependent-loop",
                         .code = "RL104",
                         .summary = "a loop around communication runs a number of times that differs between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

static bool makes_fewer_rounds(const Mismatch& m) {
  return m.first.by_rounds && !m.first.steps.empty() && m.first.steps.front().outcome != PathStep::Outcome::NextRound;
}

// On which ranks: "fewer times on ranks where `mine` has fewer elements".
static std::string how_often(const Mismatch& m) {
  if (!m.first.by_rounds)
    return "a different number of times on " + m.first.ranks.text + " than on " + m.second.beside.text;
  const bool is_named = !m.first.ranks.beside.empty() && !m.first.steps.empty();
  if (!is_named) return "a different number of times on some ranks than on others";
  return (makes_fewer_rounds(m) ? "fewer times on " : "more times on ") + m.first.ranks.text;
}

// The communication in the loop: the ranks that make another round come to it first.
static const Arrival& in_the_loop(const Mismatch& m) {
  return makes_fewer_rounds(m) && m.second.at_collective ? m.second : m.first;
}

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::RankLoop)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = "this loop runs " + how_often(m) + ", around " + collective_text(in_the_loop(m).op, m.group);
    finding.message += if_sharded(m);
    finding.help =
        "agree on the number of rounds first (an all_reduce of the maximum or minimum), or pad the shorter ranks";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::rank_dependent_loop
