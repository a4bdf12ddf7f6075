#include <algorithm>
#include <array>

#include "rules/calls.h"
#include "rules/wording.h"

namespace ranklint::rank0_weights_not_synced {

constexpr RuleInfo kInfo{
    .id = "rank0-weights-not-synced",
    .code = "RL404",
    .summary = "weights are loaded on some ranks and the model is sharded without bringing them to the others",
    .severity = Severity::Error,
    .since = "0.1",
    .no_wait = "weights differ",
    .premise = "nothing out of sight brings the weights to the other ranks"};

constexpr std::array<std::string_view, 4> kLoads{"load_state_dict", "init_weights", "reset_parameters", "load_weights"};
constexpr std::array<std::string_view, 2> kShards{"FullyShardedDataParallel", "fully_shard"};
// Anything that may bring values to other ranks, or load them there as well.
constexpr std::array<std::string_view, 12> kSyncs{"broadcast",
                                                  "broadcast_object_list",
                                                  "set_model_state_dict",
                                                  "set_state_dict",
                                                  "scatter",
                                                  "distribute_tensor",
                                                  "_sync_params_and_buffers",
                                                  "_sync_module_states",
                                                  "_broadcast_coalesced",
                                                  "DistributedDataParallel",
                                                  "broadcast_coalesced",
                                                  "distribute_module"};
constexpr auto kCalls = joined(kLoads, kShards, kSyncs);

static bool synchronises(const CallSite& call) {
  const SeenValue* sync = call.argument({10, "sync_module_states"});
  return call.open_ended || (sync && !(sync->kind == SeenValue::Kind::Bool && sync->integer == 0));
}

static void check_function(const Shared& shared, std::span<const CallSite> calls, std::vector<Finding>& findings) {
  const CallSite* load = nullptr;
  for (const CallSite& call : calls) {
    if (is_named_any(call, kSyncs)) return;
    if (is_named_any(call, kLoads)) {
      if (!rank_guard(call)) return;  // every rank loads
      if (!load) load = &call;
    }
  }
  if (!load) return;
  const SeenGuard& guard = *rank_guard(*load);
  for (const CallSite& call : calls) {
    if (!is_named_any(call, kShards) || synchronises(call) || rank_guard(call) || call.range <= load->range) continue;
    Finding finding = finding_at(kInfo, shared, load->function, load->range, Confidence::Likely);
    finding.message =
        "only some ranks give the model its weights, and it is sharded without synchronising: each rank keeps its part "
        "of other values";
    finding.related.push_back({{finding.primary.path, guard.range}, "ranks diverge here"});
    finding.related.push_back({{finding.primary.path, call.range}, "sharded here, from what each rank has"});
    finding.help =
        "pass sync_module_states=True with device_id to FSDP, or load after sharding with "
        "set_model_state_dict(broadcast_from_rank0=True)";
    finding.fingerprint_key = load->callee + " not synced";
    findings.push_back(std::move(finding));
    return;
  }
}

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  const std::vector<CallSite>& all = shared.calls.all();
  for (size_t first = 0; first < all.size();) {
    size_t last = first;
    while (last < all.size() && all[last].function == all[first].function) ++last;
    if (is_reported(shared, all[first].function))
      check_function(shared, std::span(all).subspan(first, last - first), findings);
    first = last;
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::rank0_weights_not_synced
