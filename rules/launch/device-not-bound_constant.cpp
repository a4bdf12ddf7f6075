// One number for all: every process of a machine binds the same GPU, which then holds as many models as there are
// ranks, and NCCL refuses it ("duplicate GPU").
//
//     dist.init_process_group("nccl")
//     torch.cuda.set_device(0)
//
// So does the last one, `device_count() - 1`. That is right where each process sees only one GPU. So it is not
// reported if the program names the variable that chooses which GPUs a process sees.
#include <algorithm>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/reached_calls.h"
#include "analyzer/questions/seen_value.h"
#include "analyzer/variance/terms.h"
#include "rules/launch/device-not-bound.h"
#include "rules/loading/every_rank.h"

namespace ranklint::device_not_bound {

// Whether something communicates, or sets up a group of several ranks, on that side of the branch.
static bool has_job(const EveryRank& ranks, const Summary& s, const ir::Function& f, ir::BlockId branch, bool side) {
  const auto is_of_job = [&](const Step& step) { return step.event && !ranks.sets_up_one_rank(step.call, nullptr); };
  return std::ranges::any_of(s.graph().order(), [&](ir::BlockId b) {
    return std::ranges::any_of(s.blocks[b.index].steps, is_of_job) && side_of_branch(s.graph(), f, branch, b) == side;
  });
}

// Under a condition whose outcome a job does not decide: `if "RANK" in os.environ` holds in every one, and one under
// which the job is set up says that there is one.
static bool is_under_branch(const Query& in, const EveryRank& ranks, const Summary& s, ir::BlockId block) {
  const ir::Function& f = in.index().function(s.function);
  for (ir::BlockId above = s.graph().dominator(block); above.valid(); above = s.graph().dominator(above)) {
    const ValueId asked = s.blocks[above.index].condition;
    const bool is_known = asked.valid() && in.values().truth(asked) != ValueStore::Truth::Unknown;
    const std::optional<bool> side = side_of_branch(s.graph(), f, above, block);
    if (!is_known && side && !has_job(ranks, s, f, above, *side)) return true;
  }
  return false;
}

// Whether all processes of a machine have the same number: it is computed of constants, of how many GPUs there are, and
// of which machine it is (`rank // torch.cuda.device_count()`).
static bool is_alike_on_machine(const Query& in, ValueId number) {
  const ValueStore& values = in.values();
  const Value& value = values[number];
  if (value.kind == ValueKind::Integer) return true;
  const auto counts_devices = [&](ValueId v) {
    return in.roles().play(function_of(values, in.index(), v), Role::CountsDevices);
  };
  if (value.kind != ValueKind::Binary) return counts_devices(number);
  const ValueId left = values.child(number, 0), right = values.child(number, 1);
  const bool is_rank = values[left].kind == ValueKind::Coordinate && values.axes(AxesId{values[left].a}).is_world();
  if (value.op == ir::Operator::FloorDivide && is_rank) return counts_devices(right);
  return is_alike_on_machine(in, left) && is_alike_on_machine(in, right);
}

std::vector<Finding> one_device_for_all(const RuleInfo& rule, const Query& in, const Shared& shared,
                                        const std::set<FunctionKey>& reported) {
  std::vector<Finding> findings;
  EveryRank every_rank(in);
  for_each_reached_call(in, rule.id, [&](const Summary& s, const Site& site, const WatchedCall& call) {
    const RoleEntry* binds = in.roles().find(in.callee_path(call.call.callee), Role::BindsDevice);
    const ValueId number = binds ? in.argument(call.call, binds->argument) : ValueId{};
    if (!number.valid() || !is_alike_on_machine(in, number) || !is_reported(shared, s.function) ||
        reported.contains(s.function))
      return;
    // A condition around it may ask how many GPUs the process sees, and an actor sees only its own.
    const ClassKey owner = in.index().functions()[s.function].owner;
    if (is_under_branch(in, every_rank, s, site.block) || (owner.valid() && in.program().is_actor(owner))) return;
    if (is_without_job(shared, s.function) || programs_name(in, s.function, Role::HidesDevices)) return;
    const std::optional<ReachedByAll> reached = every_rank.at(s.function, {site.block, site.instruction});
    if (!reached) return;
    Finding finding = finding_at(rule, shared, s.function, call.range, certainty_of_several_ranks(shared, s.function));
    const SeenValue seen = see(in, number);
    finding.message =
        "every process binds GPU " +
        (seen.kind == SeenValue::Kind::Integer ? std::to_string(seen.integer) : "`" + seen.spelled + "`") +
        ": those of one machine share it";
    finding.help = "bind the local rank (LOCAL_RANK)";
    finding.fingerprint_key = "one for all";
    add_way(finding, shared, *reached);
    findings.push_back(std::move(finding));
  });
  return findings;
}

}  // namespace ranklint::device_not_bound
