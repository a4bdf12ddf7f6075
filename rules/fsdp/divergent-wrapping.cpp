#include <algorithm>
#include <array>

#include "analyzer/resolve/dotted.h"
#include "rules/calls.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::divergent_wrapping {

constexpr RuleInfo kInfo{.id = "divergent-wrapping",
                         .code = "RL402",
                         .summary = "ranks wrap a model with different arguments",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "the values that differ matter to how the model is cut"};

constexpr std::array<std::string_view, 3> kCalls{"FullyShardedDataParallel", "DistributedDataParallel", "fully_shard"};

// What decides about units, buckets and broadcasts. Devices, groups and param_init_fn may differ.
constexpr std::array<std::string_view, 13> kShared{"sharding_strategy",    "auto_wrap_policy", "mixed_precision",
                                                   "ignored_modules",      "ignored_states",   "sync_module_states",
                                                   "use_orig_params",      "init_sync",        "broadcast_buffers",
                                                   "bucket_cap_mb",        "static_graph",     "mp_policy",
                                                   "reshard_after_forward"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const CallSite& call : shared.calls.all()) {
    if (!is_reported(shared, call.function) || !is_named_any(call, kCalls)) continue;
    for (const SeenArgument& a : call.arguments) {
      if (!a.value.diverges() || std::find(kShared.begin(), kShared.end(), a.keyword) == kShared.end()) continue;
      Finding finding =
          finding_at(kInfo, shared, call.function, call.range, lower_of(Confidence::High, call.certainty));
      finding.message =
          "`" + a.keyword + "` differs between ranks" + (a.value.axes.empty() ? "" : " of `" + a.value.axes + "`") +
          ": they build different units, and the constructor's broadcasts or the first forward pass do not match";
      finding.help = "give every rank the same value; only devices and param_init_fn may depend on the rank";
      finding.replay =
          replay_templates::on_other_terms({std::string(last_part(call.callee)), "world", finding.primary});
      finding.fingerprint_key = a.keyword + " wrapping";
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::divergent_wrapping
