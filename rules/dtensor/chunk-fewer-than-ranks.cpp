#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::chunk_fewer_than_ranks {

constexpr RuleInfo kInfo{.id = "chunk-fewer-than-ranks",
                         .code = "RL305",
                         .summary = "a chunk is picked by a mesh coordinate without a look at the size",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the index fails"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->thin_chunks) {
    if (!is_reported_outside_tests(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = (spot.name.starts_with("%") ? "what `chunk` gives" : "`" + spot.name + "`") +
                      " is indexed by this rank's coordinate, and there are fewer pieces than ranks where the "
                      "dimension is smaller: the last ranks raise, the others wait";
    finding.help = "check that the dimension divides, pad it, or use tensor_split, which gives empty pieces";
    finding.fingerprint_key = spot.name + "chunk";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::chunk_fewer_than_ranks
