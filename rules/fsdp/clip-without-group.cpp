#include <array>

#include "analyzer/compare/tensor_facts.h"
#include "rules/wording.h"

namespace ranklint::clip_without_group {

constexpr RuleInfo kInfo{.id = "clip-without-group",
                         .code = "RL409",
                         .summary = "gradients of a sharded model are clipped by the norm of a part",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the norm is wrong"};

constexpr std::array<std::string_view, 4> kCalls{"clip_grad_norm_", "get_total_norm", "parameters", "fully_shard"};

static void check(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->sharded_norms) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message =
        "`torch.nn.utils." + spot.name + "` sees this rank's shards only: every rank scales its part by another factor";
    finding.help = "call the wrapped model's own clip_grad_norm_";
    finding.fingerprint_key = spot.name + "sharded";
    report.push_back(std::move(finding));
  }
  for (const Spot& spot : facts.tensors->local_norms) {
    if (!is_reported(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message =
        "the norm of sharded gradients is a DTensor, and reading it gives this rank's part: ranks see different norms "
        "and may decide differently";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "read here"});
    finding.help = "make it whole first: norm.full_tensor() on every rank, then item()";
    finding.fingerprint_key = spot.name + "local";
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{&kInfo, check, kCalls};

}  // namespace ranklint::clip_without_group
