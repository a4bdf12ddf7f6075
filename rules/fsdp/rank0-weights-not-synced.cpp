#include <algorithm>
#include <span>

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

// What brings values to other ranks, or may set them there as well, ends the search.
constexpr std::string_view kCalls[] = {"<fills-model>", "<shards-model>", "<brings-to-others>"};

static bool synchronises(const Roles& roles, const CallSite& call) {
  const RoleEntry* sends = role_of(roles, call, Role::SendsModuleStates);
  const SeenValue* sync = sends ? call.argument(sends->argument) : nullptr;
  return call.open_ended || (sync && !(sync->kind == SeenValue::Kind::Bool && sync->integer == 0));
}

static void check_function(const Roles& roles, const Shared& shared, std::span<const CallSite> calls,
                           std::vector<Finding>& findings) {
  const CallSite* load = nullptr;
  for (const CallSite& call : calls) {
    if (role_of(roles, call, Role::BringsToOthers)) return;
    if (role_of(roles, call, Role::FillsModel)) {
      if (!rank_guard(call)) return;  // every rank loads
      if (!load) load = &call;
    }
  }
  if (!load) return;
  const SeenGuard& guard = *rank_guard(*load);
  for (const CallSite& call : calls) {
    if (!role_of(roles, call, Role::ShardsModel) || synchronises(roles, call) || rank_guard(call) ||
        call.range <= load->range)
      continue;
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

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const std::span<const CallSite> of_function : shared.calls.by_function())
    if (is_reported(shared, of_function.front().function)) check_function(in.roles(), shared, of_function, findings);
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::rank0_weights_not_synced
