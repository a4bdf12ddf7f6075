// On how many machines the ranks of a job are, by what its file says of the process groups and of the environment.
#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "analyzer/doubts/one_machine.h"
#include "analyzer/program/addresses.h"
#include "analyzer/program/imports.h"
#include "analyzer/program/test_files.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/device-not-bound.h"

namespace ranklint::device_not_bound {
namespace {

bool is_of_one_file(const Shared& shared, FunctionKey a, FunctionKey b) {
  return shared.index->functions()[a].module == shared.index->functions()[b].module;
}

const ir::Instruction& instruction_of(const Query& in, const CallSite& call) {
  return in.index().function(call.function).blocks[call.block].instructions[call.instruction];
}

// The variable of the environment that an assignment sets; empty: it sets none that is known.
std::string_view variable_set_by(const Roles& roles, const CallSite& call) {
  const std::string_view method = last_part(call.callee);
  if (method.size() == call.callee.size() || !is_builtin(method, Builtin::SetItem) ||
      !roles.play(std::string_view(call.callee).substr(0, call.callee.size() - method.size() - 1),
                  Role::HoldsEnvironment))
    return {};
  const SeenValue* key = call.argument({.position = 0, .keyword = {}});
  return key ? std::string_view(key->text) : std::string_view();
}

// `os.environ["MASTER_ADDR"] = "localhost"`
bool sets_address_of_this_machine(const Query& in, const CallSite& call) {
  return in.roles().play(variable_set_by(in.roles(), call), Role::HoldsAddress) &&
         is_address_of_this_machine(in.program(), call.function, instruction_of(in, call).value);
}

// `os.environ["LOCAL_RANK"] = "0"` in the function or where the file begins: no launcher numbers the processes, there
// is one.
bool numbers_itself(const Query& in, const CallSite& call, FunctionKey function) {
  const SeenValue* number = call.argument({.position = 1, .keyword = {}});
  const bool runs_before =
      call.function == function || in.index().function(call.function).kind == ir::FunctionKind::Module;
  return runs_before && number && number->is_constant() && call.guards.empty() &&
         in.roles().play(variable_set_by(in.roles(), call), Role::SetByLauncher);
}

// The calls that make process groups in the function's file; if none does, those in the nearest files that it imports;
// if none of these does, those in files by which it is imported. A file that no such file is seen to lead to may be
// loaded by its name, by any program: then all count but those of tests.
std::vector<const CallSite*> groups_near(const Roles& roles, const Shared& shared, FunctionKey function) {
  std::vector<const CallSite*> groups = calls_and_setup(shared.calls);
  std::erase_if(groups, [&](const CallSite* call) { return !makes_process_group(roles, *call); });
  const auto keep = [&](const auto& wanted) {
    std::vector<const CallSite*> kept;
    std::ranges::copy_if(groups, std::back_inserter(kept), wanted);
    return kept;
  };
  std::vector<const CallSite*> own =
      keep([&](const CallSite* call) { return is_of_one_file(shared, call->function, function); });
  if (!own.empty() || groups.empty()) return own;
  const auto& functions = shared.index->functions();
  const ModuleKey module = functions[function].module;
  for (const std::set<ModuleKey>& files : modules_by_distance(*shared.index, module)) {
    std::vector<const CallSite*> imported =
        keep([&](const CallSite* call) { return files.contains(functions[call->function].module); });
    if (!imported.empty()) return imported;
  }
  std::vector<const CallSite*> importing = keep([&](const CallSite* call) {
    return modules_reached(*shared.index, functions[call->function].module).contains(module);
  });
  if (!importing.empty()) return importing;
  return keep([&](const CallSite* call) { return !is_test_file(shared.index->path(call->function)); });
}

// The first of these calls, where all meet on one machine; null: none does, or another may be larger.
const CallSite* group_of_one_machine(const Query& in, const Shared& shared, FunctionKey function) {
  const std::vector<const CallSite*> groups = groups_near(in.roles(), shared, function);
  const bool is_one =
      std::ranges::all_of(groups, [&](const CallSite* group) { return meets_on_one_machine(in, shared, *group); });
  return is_one && !groups.empty() ? groups.front() : nullptr;
}

}  // namespace

const SeenValue* world_size_of(const Query& in, const CallSite& group) {
  const RoleEntry* takes = in.roles().find(group.callee, Role::TakesWorldSize);
  return takes ? group.argument(takes->argument) : nullptr;
}

// By what the call is given, by what the function checks, or by what the same file writes into the environment.
bool meets_on_one_machine(const Query& in, const Shared& shared, const CallSite& group) {
  if (const SeenValue* size = world_size_of(in, group); size && size->counts_devices) return true;
  if (holds_ranks_to_devices(in, group.function)) return true;
  const RoleEntry* takes = in.roles().find(group.callee, Role::TakesAddress);
  if (takes &&
      is_given_address_of_this_machine(in.program(), group.function, instruction_of(in, group), takes->argument))
    return true;
  return std::ranges::any_of(calls_and_setup(shared.calls), [&](const CallSite* call) {
    return is_of_one_file(shared, call->function, group.function) && sets_address_of_this_machine(in, *call);
  });
}

bool reaches_no_rank(const Query& in, const CallSite& group) {
  const RoleEntry* takes = in.roles().find(group.callee, Role::TakesBackend);
  const SeenValue* backend = takes ? group.argument(takes->argument) : nullptr;
  return backend && in.roles().play(backend->text, Role::ReachesNobody);
}

Assurance on_several_machines(const Query& in, const Shared& shared, FunctionKey function) {
  if (const Launch* launch = shared.launches ? shared.launches->on_one_machine(function) : nullptr)
    return Doubt{Reason::StartedOnOneMachine, {launch->within, launch->range}};
  if (const CallSite* group = group_of_one_machine(in, shared, function))
    return Doubt{Reason::StartedOnOneMachine, {group->function, group->range}};
  for (const CallSite* call : calls_and_setup(shared.calls))
    if (is_of_one_file(shared, call->function, function) && numbers_itself(in, *call, function))
      return Doubt{Reason::StartedAlone, {call->function, call->range}};
  return certainty_of_several_ranks(shared, function);
}

}  // namespace ranklint::device_not_bound
