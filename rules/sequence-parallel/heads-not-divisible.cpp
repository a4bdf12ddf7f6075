#include "rules/wording.h"

namespace ranklint::heads_not_divisible {

constexpr RuleInfo kInfo{.id = "heads-not-divisible",
                         .code = "RL601",
                         .summary = "heads are dealt out over a group whose size is not known to divide them",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the shape does not fit, on every rank"};

static void check(const Facts& facts, Reporter& report) {
  for (const SizeHazard& hazard : facts.size_hazards) {
    if (hazard.what != SizeHazard::What::UncheckedHeads || !is_reported_outside_tests(facts, hazard.function)) continue;
    Finding finding = finding_at(kInfo, facts, hazard.function, hazard.range, hazard.certainty);
    const std::string what =
        hazard.subject.empty() || hazard.subject.front() == '%' ? "its tensor" : "`" + hazard.subject + "`";
    finding.message =
        "the heads of " + what +
        " are split over the sequence-parallel ranks, but nothing ensures that their number is divisible by the degree";
    finding.help =
        "check `num_heads % sp_size == 0` where the model is set up; repeat key and value heads that are fewer than "
        "the ranks";
    finding.fingerprint_key = hazard.subject;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::heads_not_divisible
