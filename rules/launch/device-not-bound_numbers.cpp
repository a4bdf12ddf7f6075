// Every number of a device that reaches a call, from any caller: `.to(rank)`, `torch.device("cuda", rank)`,
// `f"cuda:{rank}"` as a map_location. The global rank is such a number on one node only.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/mentions.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/device-not-bound.h"

namespace ranklint::device_not_bound {
namespace {

bool is_global_rank(const SeenValue* device) {
  return device && device->counts == SeenValue::Ranks::World && !device->believed && device->local.empty();
}

// Whether the call is given the global rank as the number of a device.
bool takes_device_of_global_rank(const Query& in, const CallSite& call) {
  const RoleEntry* role = in.roles().find(call.callee, Role::TakesDevice);
  if (!role) return false;
  if (role->argument.present()) return is_global_rank(call.argument(role->argument));
  return std::ranges::any_of(call.arguments, [&](const SeenArgument& a) { return is_global_rank(&a.value); });
}

// What one function alone does with the ranks of a job, by the name of the call: whether it asks a library for its
// rank, which fails where there is no job.
bool asks_library_for_rank(const Query& in, FunctionKey function) {
  const ir::Function& f = in.index().function(function);
  const ModuleKey module = in.index().functions()[function].module;
  return ir::any_instruction(f, [&](const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call || !ir::is_dotted(f, i.value)) return false;
    const Entity entity = in.index().resolve(module, f, i.value);
    const Model* model = entity.kind == Entity::Kind::External
                             ? in.program().models().find(in.index().names().text(entity.name))
                             : nullptr;
    return model && model->kind == ModelKind::RankSource;
  });
}

using DeviceCalls = std::map<FunctionKey, std::vector<const CallSite*>>;  // for devices, by function

// Ways through one file that begin with what the user asks for:
//
//     def train(...): dist.init_process_group(...); device = torch.device("cuda", rank())
//     def test(...): device = torch.device("cuda", rank())          # 0: no group is made on this way
//
// Nothing that leads to the one, by the names of functions, leads to the other; and each function of the file that
// makes a group asks for such a device as well.
class OtherWays {
 public:
  OtherWays(const Query& in, const DeviceCalls& asking) : in_(in), asking_(asking) {}

  // The call that makes the group on another way; null: the function may run with a group.
  const CallSite* group_beside(FunctionKey function, const std::vector<const CallSite*>& calls) {
    const auto module_of = [&](FunctionKey f) { return in_.index().functions()[f].module; };
    const CallSite* found = nullptr;
    for (const CallSite* call : calls) {
      if (!makes_process_group(in_.roles(), *call)) continue;
      if (meet(call->function, function)) return nullptr;
      if (module_of(call->function) != module_of(function)) continue;
      if (!asking_.contains(call->function)) return nullptr;
      found = call;
    }
    return found && !asks_library_for_rank(in_, function) ? found : nullptr;
  }

 private:
  // Whether some function leads to both.
  bool meet(FunctionKey a, FunctionKey b) {
    const std::set<FunctionKey>& to_a = leading_to(a);
    return std::ranges::any_of(leading_to(b), [&](FunctionKey f) { return to_a.contains(f); });
  }

  // The function and all that name it, one that names it, and so on.
  const std::set<FunctionKey>& leading_to(FunctionKey f) {
    if (!mentions_) mentions_.emplace(in_.index(), in_.program().models()).find({});
    const auto [known, is_new] = leading_.try_emplace(f);
    if (!is_new) return known->second;
    std::vector<FunctionKey> work{f};
    while (!work.empty()) {
      const FunctionKey one = work.back();
      work.pop_back();
      if (!known->second.insert(one).second) continue;
      work.insert(work.end(), mentions_->of(one).begin(), mentions_->of(one).end());
    }
    return known->second;
  }

  const Query& in_;
  const DeviceCalls& asking_;
  std::optional<Mentions> mentions_;
  std::map<FunctionKey, std::set<FunctionKey>> leading_;
};

}  // namespace

std::vector<Finding> devices_by_global_rank(const RuleInfo& rule, const Query& in, const Shared& shared,
                                            const std::set<FunctionKey>& reported) {
  const std::vector<const CallSite*> all = calls_and_setup(shared.calls);
  // One process that plays a rank of a world.
  const auto reaches_none = [&](const CallSite& call) {
    const CallSite* group = group_before(in.roles(), all, call);
    return group && reaches_no_rank(in, *group);
  };
  DeviceCalls by_function;
  for (const CallSite* call : all)
    if (!reported.contains(call->function) && is_reported(shared, call->function) &&
        takes_device_of_global_rank(in, *call) && !rank_guard(*call) && !reaches_none(*call) &&
        !ranks_are_local(in, all, call->function))
      by_function[call->function].push_back(call);
  std::vector<Finding> findings;
  OtherWays ways(in, by_function);
  for (auto& [function, calls] : by_function) {
    std::ranges::sort(calls, {}, &CallSite::range);
    Assurance sure = on_several_machines(in, shared, function);
    if (const CallSite* group = ways.group_beside(function, all))
      sure.doubt({Reason::NoJob, {group->function, group->range}});
    Finding finding = finding_at(rule, shared, function, calls.front()->range, sure);
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
