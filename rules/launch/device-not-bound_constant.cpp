// One number for all: every process of a machine binds the same GPU, which then holds as many models as there are
// ranks, and NCCL refuses it ("duplicate GPU").
//
//     dist.init_process_group("nccl")
//     torch.cuda.set_device(0)
//
// That is right where each process sees only one GPU. So it is not reported if the program names the variable that
// chooses which GPUs a process sees.
#include <algorithm>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/questions/reached_calls.h"
#include "rules/launch/device-not-bound.h"
#include "rules/loading/every_rank.h"

namespace ranklint::device_not_bound {

static bool chooses_visible_devices(const Query& in, FunctionKey f) {
  const ProjectIndex& index = in.index();
  const std::vector<ModuleKey> files = in.program().sharding().files_around(index.functions()[f].module);
  return std::ranges::any_of(files, [&](ModuleKey file) {
    return std::ranges::any_of(in.roles().names_in(Role::HidesDevices), [&](const std::string& variable) {
      return index.modules()[file].symbols.find(variable).valid();
    });
  });
}

static bool is_under_branch(const Query& in, const Summary& s, ir::BlockId block) {
  const ir::Function& f = in.index().function(s.function);
  for (ir::BlockId above = s.graph().dominator(block); above.valid(); above = s.graph().dominator(above))
    if (side_of_branch(s.graph(), f, above, block)) return true;
  return false;
}

std::vector<Finding> one_device_for_all(const RuleInfo& rule, const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  EveryRank every_rank(in);
  for_each_reached_call(in, rule.id, [&](const Summary& s, const Site& site, const WatchedCall& call) {
    const RoleEntry* binds = in.roles().find(in.callee_path(call.call.callee), Role::BindsDevice);
    const ValueId number = binds ? in.argument(call.call, binds->argument) : ValueId{};
    int64_t device = 0;
    if (!number.valid() || !in.values().integer_of(number, device) || !is_reported(shared, s.function)) return;
    // A condition around it may ask how many GPUs the process sees, and an actor sees only its own.
    const ClassKey owner = in.index().functions()[s.function].owner;
    if (is_under_branch(in, s, site.block) || (owner.valid() && in.program().is_actor(owner))) return;
    if (is_without_job(shared, s.function) || chooses_visible_devices(in, s.function)) return;
    const std::optional<ReachedByAll> reached = every_rank.at(s.function, {site.block, site.instruction});
    if (!reached) return;
    Finding finding = finding_at(rule, shared, s.function, call.range, certainty_of_several_ranks(shared, s.function));
    finding.message = "every process binds GPU " + std::to_string(device) + ": those of one machine share it";
    finding.help = "bind the local rank (LOCAL_RANK)";
    finding.fingerprint_key = "one for all";
    add_way(finding, shared, *reached);
    findings.push_back(std::move(finding));
  });
  return findings;
}

}  // namespace ranklint::device_not_bound
