#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::shard_on_device {

constexpr RuleInfo kInfo{.id = "shard-on-device",
                         .code = "RL306",
                         .summary = "a whole tensor is moved to the device before it is distributed",
                         .severity = Severity::Info,
                         .since = "0.1",
                         .no_wait = "memory runs out",
                         .default_on = false};

constexpr std::array<std::string_view, 1> kCalls{"distribute_tensor"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->device_copies) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message =
        "every device holds the whole tensor before `distribute_tensor` keeps a part of it: a peak of the largest "
        "tensor, on all ranks at once";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "moved here"});
    finding.help = "distribute from the host: distribute_tensor moves what it keeps";
    finding.fingerprint_key = spot.name + "device";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::shard_on_device
