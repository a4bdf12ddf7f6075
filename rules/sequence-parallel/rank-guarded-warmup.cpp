#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::rank_guarded_warmup {

constexpr RuleInfo kInfo{.id = "rank-guarded-warmup",
                         .code = "RL606",
                         .summary = "some ranks of a group reach code that warms up its communicator, others do not",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Warmup)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message = "a warm-up further down communicates: " + collective_text(m.first.op, m.group) +
                      " is issued by " + m.first.ranks.text + " and not by " + m.second.beside.text;
    finding.help = "set up on every rank of `" + m.group +
                   "` what is warmed up, or leave the warm-up out where one rank works alone";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::rank_guarded_warmup
