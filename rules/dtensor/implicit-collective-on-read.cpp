#include "rules/mismatches.h"

namespace ranklint::implicit_collective_on_read {

constexpr RuleInfo kInfo{.id = "implicit-collective-on-read",
                         .code = "RL302",
                         .summary = "a distributed tensor is made whole or compared on some ranks only",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  for (const Mismatch& m : mismatches_of(facts, MismatchKind::TensorRead)) {
    Finding finding = finding_of(kInfo, facts, m);
    finding.message = only_some_call(m, "needs the parts of every rank");
    finding.help = "call it on every rank of the mesh and use the result where it is wanted";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::implicit_collective_on_read
