// What works on the GPU that is current before the process is bound to its own: every process of a machine opens a
// context, and takes memory, on GPU 0.
//
//     torch.zeros(1, device="cuda")
//     torch.cuda.set_device(local_rank)
//
// Read off the text of the function that binds: the use stands on every way to the binding, and no other binding
// before.
#include <algorithm>
#include <set>
#include <vector>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/contexts.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/module_moves.h"
#include "rules/launch/device-not-bound.h"

namespace ranklint::device_not_bound {
namespace {

class EarlyUses {
 public:
  EarlyUses(const Query& in, const Summary& s) : in_(in), code_(in.index(), s), contexts_(in.index(), s) {}

  // Whether the call binds the process's own device: by a number of the rank, or by what a call made of one.
  bool binds_own(const CallSite& bind, const std::vector<const CallSite*>& calls) const {
    if (std::ranges::any_of(bind.arguments, is_of_rank)) return true;
    const ProgramPoint at = place_of(bind);
    const ir::ExprId device = first_argument(code_, code_.instruction(at));
    const auto made_by = device.valid() ? derivation_of(code_, device, at).calls : std::vector<ProgramPoint>();
    return std::ranges::any_of(calls, [&](const CallSite* c) {
      return c->function == bind.function && std::ranges::find(made_by, place_of(*c)) != made_by.end() &&
             std::ranges::any_of(c->arguments, is_of_rank);
    });
  }

  // The first call that works on the current device, on every way to the call that binds one. Null: there is none, or
  // something before may have bound a device.
  const ir::Instruction* before(const CallSite& bind) const {
    const ProgramPoint end = place_of(bind);
    for (const ir::BlockId b : code_.graph().order()) {
      if (code_.graph().position(b) > code_.graph().position(end.block)) break;
      const auto& instructions = code_.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size() && (b != end.block || i < end.instruction); ++i) {
        if (instructions[i].kind != ir::InstructionKind::Call) continue;
        if (may_bind(instructions[i], {b, i})) return nullptr;
        const bool is_passed = code_.graph().dominates(b, end.block) && uses_current(instructions[i], {b, i});
        // A context may be about a device.
        if (is_passed && contexts_.open_at({b, i}).empty()) return &instructions[i];
      }
    }
    return nullptr;
  }

 private:
  static ProgramPoint place_of(const CallSite& call) { return {call.block, call.instruction}; }
  static bool is_of_rank(const SeenArgument& a) {
    return a.value.along != SeenValue::Ranks::None || a.value.counts != SeenValue::Ranks::None;
  }

  // Itself, in the project's function that it calls, or as an object of a library that binds one when it is made.
  bool may_bind(const ir::Instruction& call, ProgramPoint at) const {
    if (plays(in_, code_, call, Role::BindsDevice)) return true;
    const Model* model = in_.models().find(foreign_name(in_.index(), code_.module, code_.ir, call.value));
    const auto way =
        in_.watched().ways.find(Site{.function = code_.key, .block = at.block, .instruction = at.instruction});
    return (model && model->kind == ModelKind::Class) ||
           (way != in_.watched().ways.end() && leads_to_binding(way->second.call, 0));
  }

  bool leads_to_binding(const Call& call, int depth) const {
    constexpr int kMostCalls = 4;  // to the binding
    const auto& [calls, ways] = std::tie(in_.watched().calls, in_.watched().ways);
    const auto is_in = [](const Target& t, const auto& places, const auto& wanted) {
      return std::ranges::any_of(calls_in(places, t.function), [&](const auto& at) { return wanted(at.second.call); });
    };
    const auto binds = [&](const Call& c) { return in_.roles().play(in_.callee_path(c.callee), Role::BindsDevice); };
    const auto leads = [&](const Call& c) { return leads_to_binding(c, depth + 1); };
    return depth < kMostCalls && std::ranges::any_of(
                                     in_.targets(call.callee),
                                     [&](const Target& t) { return is_in(t, calls, binds) || is_in(t, ways, leads); });
  }

  // `x.cuda()`, `x.to("cuda")`, `torch.zeros(1, device="cuda")`
  bool uses_current(const ir::Instruction& call, ProgramPoint at) const {
    const auto given = ir::arguments(code_.ir, call);
    const auto is_current = [&](ir::ExprId e) { return is_current_device(in_, code_, e, at); };
    if (const RoleEntry* moves = role_of(in_, code_, call, Role::MovesToDevice)) {
      if (!moves->argument.present()) return given.empty();
      const ir::ExprId device = given_for(code_, call, *moves);
      return device.valid() && is_current(device);
    }
    return plays(in_, code_, call, Role::MakesTensor) && std::ranges::any_of(given, [&](const ir::Argument& a) {
             return a.kind == ir::ArgumentKind::Keyword && is_current(a.value);
           });
  }

  const Query& in_;
  const FunctionCode code_;
  Contexts contexts_;
};

}  // namespace

std::vector<Finding> devices_used_early(const RuleInfo& rule, const Query& in, const Shared& shared,
                                        const std::vector<const CallSite*>& calls,
                                        const std::vector<const CallSite*>& binds) {
  std::vector<Finding> findings;
  std::set<FunctionKey> seen;
  for (const CallSite* bind : binds) {
    const Summary* s = in.summary(bind->function);
    if (!s || bind->in_loop() || is_without_job(shared, bind->function) ||
        programs_name(in, bind->function, Role::HidesDevices))
      continue;
    const EarlyUses uses(in, *s);
    const ir::Instruction* use = uses.binds_own(*bind, calls) ? uses.before(*bind) : nullptr;
    if (!use || !seen.insert(bind->function).second) continue;
    Finding finding =
        finding_at(rule, shared, bind->function, use->range, certainty_of_several_ranks(shared, bind->function));
    finding.message =
        "this works on the current GPU before this process is bound to its own: all processes of a node take memory on "
        "GPU 0";
    finding.related.push_back({{finding.primary.path, bind->range}, "the device is bound here"});
    finding.help = "bind the local rank (LOCAL_RANK) first";
    finding.fingerprint_key = bind->callee + " used early";
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace ranklint::device_not_bound
