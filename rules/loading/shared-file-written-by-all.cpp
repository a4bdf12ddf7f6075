#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::shared_file_written_by_all {

constexpr RuleInfo kInfo{.id = "shared-file-written-by-all",
                         .code = "RL507",
                         .summary = "every rank writes the same file",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "a file is torn"};

constexpr std::array<std::string_view, 1> kCalls{"save_pretrained"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->shared_writes) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "every rank writes `" + spot.name +
                      "` to the same path at once: on a shared file system they can damage it or block each other";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "all ranks get here"});
    finding.help = "write it on one rank and let the others wait at a barrier";
    finding.fingerprint_key = spot.name + "shared";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::shared_file_written_by_all
