// Every number of a device that reaches a call, from any caller: `.to(rank)`, `torch.device("cuda", rank)`,
// `f"cuda:{rank}"` as a map_location. The global rank is such a number on one node only.
#include <algorithm>
#include <map>
#include <set>

#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/device-not-bound.h"

namespace ranklint::device_not_bound {
namespace {

// The word in which SeenValue::coordinate says that it is the number in the whole job.
constexpr std::string_view kOfWorld = "world";

bool is_global_rank(const SeenValue* device) {
  return device && device->coordinate == kOfWorld && !device->believed && device->local.empty();
}

// Whether the call is given the global rank as the number of a device.
bool takes_device_of_global_rank(const Query& in, const CallSite& call) {
  const RoleEntry* role = in.roles().find(call.callee, Role::TakesDevice);
  if (!role) return false;
  if (role->argument.present()) return is_global_rank(call.argument(role->argument));
  return std::ranges::any_of(call.arguments, [&](const SeenArgument& a) { return is_global_rank(&a.value); });
}

}  // namespace

std::vector<Finding> devices_by_global_rank(const RuleInfo& rule, const Query& in, const Shared& shared,
                                            const std::set<FunctionKey>& reported) {
  const std::vector<const CallSite*> all = calls_and_setup(shared.calls);
  // One process that plays a rank of a world.
  const auto reaches_none = [&](const CallSite& call) {
    const CallSite* group = group_before(all, call);
    return group && reaches_no_rank(in, *group);
  };
  std::map<FunctionKey, std::vector<const CallSite*>> by_function;
  for (const CallSite* call : all)
    if (!reported.contains(call->function) && is_reported_outside_tests(shared, call->function) &&
        takes_device_of_global_rank(in, *call) && !rank_guard(*call) && !reaches_none(*call) &&
        !ranks_are_local(in, all, call->function))
      by_function[call->function].push_back(call);
  std::vector<Finding> findings;
  for (auto& [function, calls] : by_function) {
    std::ranges::sort(calls, {}, &CallSite::range);
    Finding finding =
        finding_at(rule, shared, function, calls.front()->range, on_several_machines(in, shared, function));
    finding.message =
        "this asks for the GPU that has the global rank's number: on every node but the first there is none";
    for (size_t i = 1; i < calls.size(); ++i)
      finding.related.push_back({{finding.primary.path, calls[i]->range}, "so does this"});
    finding.help = "use the local rank (LOCAL_RANK), or bind it with set_device and ask for `cuda`";
    finding.fingerprint_key = calls.front()->callee + " number";
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace ranklint::device_not_bound
