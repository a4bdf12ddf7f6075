#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::sync_module_states_on_cpu {

constexpr RuleInfo kInfo{.id = "sync-module-states-on-cpu",
                         .code = "RL401",
                         .summary = "FSDP is told to synchronise a module that is on the CPU",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the constructor fails, on every rank"};

constexpr std::array<std::string_view, 1> kCalls{"FullyShardedDataParallel"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->host_syncs) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = (spot.name.empty() ? std::string("`FullyShardedDataParallel`") : "`" + spot.name + "`") +
                      " synchronises the module's states, which lie on the host, and no `device_id` moves them: the "
                      "constructor raises, and ranks that differ wait in its broadcast";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "the module is made here, on the host"});
    finding.help =
        "pass device_id, or move the module first; sync_module_states=False is enough where every rank loads the same "
        "weights";
    finding.fingerprint_key = spot.name + "sync";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::sync_module_states_on_cpu
