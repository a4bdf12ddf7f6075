// What works on the GPU that is current before the process is bound to its own: every process of a machine opens a
// context, and takes memory, on GPU 0.
//
//     torch.zeros(1, device="cuda")
//     torch.cuda.set_device(local_rank)
//
// Read off the text of the function that binds: the use stands on every way to the binding, and no other binding
// before.
#include <algorithm>
#include <optional>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/module_moves.h"
#include "rules/launch/device-not-bound.h"

namespace ranklint::device_not_bound {
namespace {

class EarlyUses {
 public:
  EarlyUses(const Query& in, const Summary& s) : in_(in), code_(in.index(), s) {}

  // Whether the call binds the process's own device: by a number of the rank, or by what a call made of one.
  bool binds_own(const CallSite& bind, const std::vector<const CallSite*>& calls) const {
    if (std::ranges::any_of(bind.arguments, is_of_rank)) return true;
    const std::optional<ProgramPoint> at = place_of(bind.range);
    const ir::ExprId device = at ? first_argument(code_, code_.instruction(*at)) : ir::ExprId{};
    if (!device.valid()) return false;
    const Derivation from = derivation_of(code_, device, *at);
    return std::ranges::any_of(from.calls, [&](const ProgramPoint& p) {
      return std::ranges::any_of(calls, [&](const CallSite* c) {
        return c->function == bind.function && c->range == code_.instruction(p).range &&
               std::ranges::any_of(c->arguments, is_of_rank);
      });
    });
  }

  // The first call that works on the current device, on every way to the call that binds one. Null: there is none.
  const ir::Instruction* before(const SourceRange& bind) const {
    const std::optional<ProgramPoint> end = place_of(bind);
    if (!end) return nullptr;
    const ir::Instruction* first = nullptr;
    for (const ir::BlockId b : code_.graph().order()) {
      if (!code_.graph().dominates(b, end->block)) continue;
      const auto& instructions = code_.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size() && (b != end->block || i < end->instruction); ++i) {
        if (instructions[i].kind != ir::InstructionKind::Call) continue;
        if (plays(in_, code_, instructions[i], Role::BindsDevice)) return nullptr;
        if (!first && uses_current(instructions[i])) first = &instructions[i];
      }
    }
    return first;
  }

 private:
  static bool is_of_rank(const SeenArgument& a) {
    return a.value.along != SeenValue::Ranks::None || a.value.counts != SeenValue::Ranks::None;
  }

  std::optional<ProgramPoint> place_of(const SourceRange& range) const {
    for (const ir::BlockId b : code_.graph().order()) {
      const auto& instructions = code_.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call && instructions[i].range == range)
          return ProgramPoint{b, i};
    }
    return std::nullopt;
  }

  // `x.cuda()`, `x.to("cuda")`, `torch.zeros(1, device="cuda")`
  bool uses_current(const ir::Instruction& call) const {
    const auto given = ir::arguments(code_.ir, call);
    const RoleEntry* moves = role_of(in_, code_, call, Role::MovesToDevice);
    if (moves && !moves->argument.present()) return given.empty();
    const bool takes_device = moves != nullptr || plays(in_, code_, call, Role::MakesTensor);
    return takes_device && std::ranges::any_of(given, [&](const ir::Argument& a) {
             return (moves != nullptr || a.kind == ir::ArgumentKind::Keyword) && names_current(a.value);
           });
  }

  // A kind of device without a number.
  bool names_current(ir::ExprId e) const {
    if (code_.ir.exprs[e].kind != ir::ExprKind::String) return false;
    const std::string_view device = code_.text.text(code_.ir.exprs[e].symbol);
    return device.find(':') == device.npos && in_.roles().play(device, Role::CurrentDevice);
  }

  const Query& in_;
  const FunctionCode code_;
};

}  // namespace

std::vector<Finding> devices_used_early(const RuleInfo& rule, const Query& in, const Shared& shared,
                                        const std::vector<const CallSite*>& calls,
                                        const std::vector<const CallSite*>& binds) {
  std::vector<Finding> findings;
  std::set<FunctionKey> seen;
  for (const CallSite* bind : binds) {
    const Summary* s = in.summary(bind->function);
    if (!s || bind->in_loop() || is_without_job(shared, bind->function)) continue;
    const EarlyUses uses(in, *s);
    const ir::Instruction* use = uses.binds_own(*bind, calls) ? uses.before(bind->range) : nullptr;
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
