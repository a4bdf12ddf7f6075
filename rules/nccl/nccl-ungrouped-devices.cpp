// One thread that drives several devices has to gather the calls of all of them in a group: the first call alone waits
// for the device of the second, which the thread never comes to.
#include <algorithm>

#include "analyzer/flow/graph.h"
#include "analyzer/questions/brackets.h"
#include "analyzer/summary/query.h"
#include "rules/nccl/function.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::nccl_ungrouped_devices {

constexpr RuleInfo kInfo{.id = "nccl-ungrouped-devices",
                         .code = "RL852",
                         .summary = "one thread calls NCCL for several devices in turn, without a group",
                         .since = "0.1",
                         .premise = "there is more than one device"};

namespace {

class Devices {
 public:
  Devices(const Query& in, const Shared& shared, FunctionKey function, std::vector<Finding>& findings)
      : in_(in), shared_(shared), nccl_(shared, function), function_(nccl_.body()), findings_(findings) {}

  void run() {
    if (!nccl_.calls([&](const std::string& name) { return makes_groups(name); })) return;
    const FlowGraph graph(function_);
    const Brackets groups(*shared_.index, nccl_.key(), "ncclGroupStart", "ncclGroupEnd");
    for (const ir::BlockId header : graph.order()) {
      const ir::Terminator& loop = function_.blocks[header].terminator;
      if (loop.kind != ir::TerminatorKind::Iterate || function_.exprs[loop.target].kind != ir::ExprKind::Name) continue;
      for (const ir::BlockId block : graph.loop_blocks(header))
        for (uint32_t i = 0; i < function_.blocks[block].instructions.size(); ++i)
          if (is_call_for_device(function_.blocks[block].instructions[i], function_.exprs[loop.target].symbol) &&
              groups.surely_outside(block, i))
            return tell(function_.blocks[block].instructions[i], loop.range);
    }
  }

 private:
  bool makes_groups(const std::string& name) const {
    return in_.roles().play(name, Role::TakesGroupId) || in_.roles().play(name, Role::MakesGroupsAtOnce);
  }

  // What makes one communicator of a whole list for this thread: its list.
  std::string made_at_once() const {
    for (const ir::Block& block : function_.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (const RoleEntry* makes = in_.roles().find(nccl_.callee(i), Role::MakesGroupsAtOnce))
          if (const ir::ExprId list = nccl_.given_for(i, makes->argument); list.valid()) return nccl_.place(list);
    return {};
  }

  // `comms[i]` with the loop's variable: the list's name.
  std::string list_of(ir::ExprId e, Symbol variable) const {
    if (function_.exprs[e].kind != ir::ExprKind::Subscript) return {};
    const auto parts = ir::children(function_, e);
    const ir::Expr& at = function_.exprs[parts[1]];
    return at.kind == ir::ExprKind::Name && at.symbol == variable ? nccl_.place(parts[0]) : std::string();
  }

  bool is_call_for_device(const ir::Instruction& i, Symbol variable) const {
    const Model* model = in_.models().find(nccl_.callee(i));
    if (!model) return false;
    const auto arguments = ir::arguments(function_, i);
    if (in_.roles().play(model->name, Role::TakesGroupId)) {
      const ir::ExprId made = nccl_.given_for(i, model->result), rank = nccl_.given_for(i, model->color);
      return made.valid() && !list_of(made, variable).empty() && rank.valid() &&
             function_.exprs[rank].kind == ir::ExprKind::Name && function_.exprs[rank].symbol == variable;
    }
    if (model->kind != ModelKind::Collective) return false;
    const std::string list = made_at_once();
    return !list.empty() && std::any_of(arguments.begin(), arguments.end(),
                                        [&](const ir::Argument& a) { return list_of(a.value, variable) == list; });
  }

  void tell(const ir::Instruction& call, SourceRange loop) {
    Finding finding = finding_at(kInfo, shared_, nccl_.key(), call.range, Confidence::High);
    finding.message = "`" + nccl_.callee(call) +
                      "` is called for one device after the other, outside of a group: the first waits for the others, "
                      "which this thread never comes to";
    finding.related.push_back({{finding.primary.path, loop}, "the devices are taken in turn here"});
    finding.help = "put ncclGroupStart before the loop and ncclGroupEnd behind it";
    finding.replay = replay_templates::by_one_alone({nccl_.callee(call), "devices", finding.primary});
    finding.fingerprint_key = nccl_.callee(call);
    findings_.push_back(std::move(finding));
  }

  const Query& in_;
  const Shared& shared_;
  NcclFunction nccl_;
  const ir::Function& function_;
  std::vector<Finding>& findings_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const FunctionKey function : cpp_functions(shared))
    if (is_reported(shared, function)) Devices(in, shared, function, findings).run();
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find};

}  // namespace ranklint::nccl_ungrouped_devices
