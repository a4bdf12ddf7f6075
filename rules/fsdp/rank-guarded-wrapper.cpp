#include "rules/mismatches.h"

namespace ranklint::rank_guarded_wrapper {

constexpr RuleInfo kInfo{.id = "rank-guarded-wrapper",
                         .code = "RL403",
                         .summary = "a model is wrapped for distributed training on some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::Wrapper)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = only_some_call(m, "sets up the model together with every rank");
    finding.help = "wrap the model on every rank of the group";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::rank_guarded_wrapper
