#include "rules/wording.h"

namespace ranklint::degree_world_mismatch {

constexpr RuleInfo kInfo{.id = "degree-world-mismatch",
                         .code = "RL602",
                         .summary = "parallel degrees whose product is not held to the number of ranks",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "set-up fails, or ranks stay idle"};

static std::string describe(const SizeHazard& hazard) {
  if (hazard.what == SizeHazard::What::DegreesDiffer)
    return "the sequence-parallel degree is said to be one of its two factors: it does not hold when `" +
           hazard.subject + "` is more than 1";
  return "the number of ranks is divided by " +
         (hazard.subject.starts_with("the ") ? hazard.subject : "`" + hazard.subject + "`") +
         " and nothing looks at the remainder: ranks beyond the product are in no group";
}

static void check(const Facts& facts, Reporter& report) {
  for (const SizeHazard& hazard : facts.size_hazards) {
    const bool ours =
        hazard.what == SizeHazard::What::UncheckedDegrees || hazard.what == SizeHazard::What::DegreesDiffer;
    if (!ours || !is_reported_outside_tests(facts, hazard.function)) continue;
    Finding finding = finding_at(kInfo, facts, hazard.function, hazard.range, hazard.certainty);
    finding.message = describe(hazard);
    finding.help = hazard.what == SizeHazard::What::DegreesDiffer
                       ? "pass the product of both degrees"
                       : "stop with an error unless the product of the degrees is the number of ranks";
    finding.fingerprint_key = hazard.subject;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::degree_world_mismatch
