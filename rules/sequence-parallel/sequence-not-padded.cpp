#include "rules/wording.h"

namespace ranklint::sequence_not_padded {

constexpr RuleInfo kInfo{
    .id = "sequence-not-padded",
    .code = "RL603",
    .summary = "a sequence is cut over ranks without padding, and gathered as if the pieces were equal",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "the result is wrong"};

static void check(const Facts& facts, Reporter& report) {
  for (const SizeHazard& hazard : facts.size_hazards) {
    if (hazard.what != SizeHazard::What::UnpaddedChunk || !is_reported(facts, hazard.function)) continue;
    Finding finding = finding_at(kInfo, facts, hazard.function, hazard.range, hazard.certainty);
    finding.message =
        "each rank takes its chunk of a sequence that nothing makes a multiple of the group: the last rank's is "
        "shorter, or missing";
    finding.related.push_back({{finding.primary.path, hazard.other}, "gathered here as if all chunks were equal"});
    finding.help =
        "pad the sequence to a multiple of the group's size before it is cut, and cut the padding off behind the "
        "gather";
    finding.fingerprint_key = "chunk";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::sequence_not_padded
