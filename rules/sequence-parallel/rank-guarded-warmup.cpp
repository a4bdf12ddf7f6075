#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::rank_guarded_warmup {

constexpr RuleInfo kInfo{.id = "rank-guarded-warmup",
                         .code = "RL606",
                         .summary = "some ranks of a group reach code that warms up its communicator, others do not",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::Warmup)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = "a warm-up further down communicates: " + collective_text(m.first.op, m.group) +
                      " is issued by " + m.first.ranks.text + " and not by " + m.second.beside.text;
    finding.help = "set up on every rank of `" + m.group +
                   "` what is warmed up, or leave the warm-up out where one rank works alone";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::rank_guarded_warmup
