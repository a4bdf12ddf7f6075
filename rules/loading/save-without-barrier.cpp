#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::save_without_barrier {

constexpr RuleInfo kInfo{.id = "save-without-barrier",
                         .code = "RL505",
                         .summary = "all ranks read a file that one of them may still be writing",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "a file is read half written"};

constexpr std::array<std::string_view, 4> kCalls{"save", "save_file", "load", "load_file"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->early_reads) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message =
        "`" + spot.name +
        "` reads on every rank what one of them has just begun to write: nothing makes the others wait for it";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "written here by some ranks"});
    finding.help = "put a barrier between the writing and the reading";
    finding.fingerprint_key = spot.name + "read";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::save_without_barrier
