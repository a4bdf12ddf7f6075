#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::mixed_tensor_dtensor {

constexpr RuleInfo kInfo{.id = "mixed-tensor-dtensor",
                         .code = "RL304",
                         .summary = "an operation takes a distributed tensor and a plain one",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the operation fails, on every rank"};

constexpr std::array<std::string_view, 5> kCalls{"copy_", "add_", "sub_", "mul_", "div_"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->mixed_operands) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "`" + spot.name + "` gets a DTensor and a plain tensor: it raises, on every rank that gets here";
    finding.help = "distribute the plain tensor (DTensor.from_local, distribute_tensor), or work on to_local()";
    finding.fingerprint_key = spot.name;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::mixed_tensor_dtensor
