// Every number of a device that reaches a call, whoever makes the call: `.to(rank)`, `torch.device("cuda", rank)`,
// `f"cuda:{rank}"` as a map_location. The global rank is such a number on one node only.
//
// Who works on the device of the local rank's number sees all GPUs of the node, so the launcher has not hidden the
// others, and the current device is GPU 0 until somebody binds another. Tensors may all be where they belong; a barrier
// has none, and meets the others on the current device.
#include <algorithm>
#include <map>
#include <set>

#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/device-not-bound.h"

namespace ranklint::device_not_bound {
namespace {

// The words in which SeenValue::coordinate says whose number it is.
constexpr std::string_view kOfWorld = "world", kOfNode = "local";

bool numbers_device_by(const SeenValue* device, std::string_view ranks) {
  return device && device->coordinate == ranks && !device->believed && device->local.empty();
}

// Whether the call is told to work on the device that has the number of this rank among `ranks`.
bool takes_device_of(const Query& in, const CallSite& call, std::string_view ranks) {
  const RoleEntry* role = in.roles().find(call.callee, Role::TakesDevice);
  if (!role) return false;
  if (role->argument.present()) return numbers_device_by(call.argument(role->argument), ranks);
  return std::ranges::any_of(call.arguments, [&](const SeenArgument& a) { return numbers_device_by(&a.value, ranks); });
}

bool is_given(const CallSite& call, std::string_view keyword) {
  return call.argument({.position = -1, .keyword = std::string(keyword)}) != nullptr;
}

// A process group that is told its device binds the process to it.
bool binds(const Query& in, const CallSite& call) {
  return in.roles().play(call.callee, Role::BindsDevice) || (makes_process_group(call) && is_given(call, "device_id"));
}

bool meets_on_current(const Query& in, const CallSite& call) {
  return call.kind == ModelKind::Collective && in.roles().play(call.callee, Role::MeetsOnDevice) && !call.open_ended &&
         !is_given(call, "device_ids") && !is_given(call, "group");
}

// What one file does with devices; null: it does not.
struct Devices {
  const CallSite* group = nullptr;    // makes the default group, of GPUs
  const CallSite* barrier = nullptr;  // the first
};

bool stands_before(const CallSite& call, const CallSite* other) {
  return !other || call.range.line < other->range.line;
}

}  // namespace

std::vector<Finding> devices_by_global_rank(const RuleInfo& rule, const Query& in, const Shared& shared,
                                            const std::set<FunctionKey>& told) {
  std::map<FunctionKey, std::vector<const CallSite*>> by_function;
  for (const CallSite* call : calls_and_setup(shared.calls))
    if (!told.contains(call->function) && is_reported_outside_tests(shared, call->function) &&
        takes_device_of(in, *call, kOfWorld) && !rank_guard(*call))
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

std::vector<Finding> barriers_on_default_device(const RuleInfo& rule, const Query& in, const Shared& shared) {
  const CallSite* numbered = nullptr;
  std::map<ModuleKey, Devices> files;
  for (const CallSite* call : calls_and_setup(shared.calls)) {
    if (binds(in, *call)) return {};
    if (!is_reported_outside_tests(shared, call->function)) continue;
    if (!numbered && takes_device_of(in, *call, kOfNode)) numbered = call;
    Devices& devices = files[shared.index->functions()[call->function].module];
    if (makes_process_group(*call) && is_of_current_gpu(*call)) devices.group = call;
    if (meets_on_current(in, *call) && stands_before(*call, devices.barrier)) devices.barrier = call;
  }
  std::vector<Finding> findings;
  for (const auto& [module, devices] : files) {
    if (!numbered || !devices.group || !devices.barrier) continue;
    Finding finding = finding_at(rule, shared, devices.barrier->function, devices.barrier->range, Certainty::Likely);
    finding.message = "`" + devices.barrier->op +
                      "` meets on the current device, which nothing binds: all processes of a node use GPU 0 for it";
    finding.related.push_back(
        {{finding.primary.path, devices.group->range}, "the process group is made here, without a device"});
    finding.related.push_back(
        {{path_of(shared, numbered->function), numbered->range}, "this works on the device of the local rank"});
    finding.help =
        "bind the local rank (LOCAL_RANK) with set_device before init_process_group, or pass it as device_id";
    finding.fingerprint_key = devices.barrier->callee + " unbound";
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace ranklint::device_not_bound
