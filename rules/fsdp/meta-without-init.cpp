#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::meta_without_init {

constexpr RuleInfo kInfo{.id = "meta-without-init",
                         .code = "RL405",
                         .summary = "FSDP wraps a module on the meta device and nothing gives it values",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "weights have no values"};

constexpr std::array<std::string_view, 1> kCalls{"FullyShardedDataParallel"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->meta_uses) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "`" + spot.name +
                      "` wraps a module on the meta device without `param_init_fn`: it gets fresh values by "
                      "`reset_parameters`, and fails where a layer has none";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "made without storage here"});
    finding.help =
        "pass param_init_fn (to_empty on the other ranks) with sync_module_states=True, or load the weights afterwards";
    finding.fingerprint_key = spot.name + "meta";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::meta_without_init
