#include "rules/mismatches.h"
#include "rules/wording.h"

namespace ranklint::uneven_inputs {

constexpr RuleInfo kInfo{.id = "uneven-inputs",
                         .code = "RL406",
                         .summary = "ranks run out of data at different steps of a loop over a wrapped model",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::UnevenInputs)) {
    Finding finding = finding_of(kInfo, shared, m);
    finding.message =
        "the loop over the wrapped model runs a number of times that differs between ranks: a rank with one batch more "
        "waits in " +
        collective_text(m.first.op, m.group);
    finding.help =
        "give all ranks the same number of batches (DistributedSampler, drop_last, a minimum agreed on before the "
        "loop), or use Join";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::uneven_inputs
