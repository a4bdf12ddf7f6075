#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::placement_mismatch {

constexpr RuleInfo kInfo{.id = "placement-mismatch",
                         .code = "RL307",
                         .summary = "local data is declared with a placement that it does not have",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "values are wrong"};

constexpr std::array<std::string_view, 1> kCalls{"from_local"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->misplaced) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "`from_local` declares `" + spot.name + "`, but " + spot.other_name;
    if (spot.other_in.valid()) finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "made here"});
    finding.help = "declare the placement that the data has, or redistribute it";
    finding.fingerprint_key = spot.name + "misplaced";
    report.push_back(std::move(finding));
  }
  for (const Spot& spot : facts.tensors->uneven_gathers) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "`from_local` with `" + spot.name +
                      "` takes every rank's first dimension for as long as this one's, and it is gathered at once: "
                      "ranks with batches of other lengths disagree about its size";
    finding.help = "pass `shape` and `stride` of the whole, or agree on the lengths and pad before gathering";
    finding.fingerprint_key = spot.name + "uneven";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::placement_mismatch
