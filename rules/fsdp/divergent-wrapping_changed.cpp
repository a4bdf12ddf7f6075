// Models that some ranks alone change before all wrap them (RL402):
//
//     if rank == 0:
//         for p in model.encoder.parameters():
//             p.requires_grad = False
//     model = DistributedDataParallel(model)
//
// Gradients are exchanged parameter by parameter, of those that are trained. The change may stand in a function that is
// called there with the model.
#include "rules/fsdp/divergent-wrapping.h"

#include <algorithm>

#include "analyzer/ir/equal.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"
#include "rules/fsdp/wrapped_module.h"

namespace ranklint::divergent_wrapping {
namespace {

class Changes {
 public:
  explicit Changes(const Query& in) : in_(in) {}

  std::vector<ChangedModel> run() {
    in_.for_each_function_to_check("models that some ranks change", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (s && s->communicates) look_for_wraps(*s);
    });
    return std::move(found_);
  }

 private:
  void look_for_wraps(const Summary& s) {
    const FunctionCode code(in_.index(), s);
    for (const ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps) {
        if (!step.event || step.event->model->about != ModelAbout::Wrapper || rank_guard_of(in_, s, b).valid())
          continue;
        const ProgramPoint at{b, in_.site(step.site).instruction};
        const auto& instructions = code.ir.blocks[b].instructions;
        if (at.instruction >= instructions.size() || instructions[at.instruction].kind != ir::InstructionKind::Call)
          continue;
        const ir::ExprId model = wrapped_module(in_, {.function = s.function, .call = at});
        if (model.valid()) look_before(s, code, at, model);
      }
  }

  void look_before(const Summary& s, const FunctionCode& code, ProgramPoint wrap, ir::ExprId model) {
    for (const ir::BlockId b : s.graph().order()) {
      if (s.graph().position(b) >= s.graph().position(wrap.block)) continue;
      const ir::BlockId guard = rank_guard_of(in_, s, b);
      if (!guard.valid()) continue;
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        if (!changes(code, {b, i}, model)) continue;
        const ir::Instruction& call = code.instruction(wrap);
        return found_.push_back({.function = s.function,
                                 .change = instructions[i].range,
                                 .guard = code.ir.blocks[guard].terminator.range,
                                 .wrap = call.range,
                                 .wrapper = std::string(name_of_callee(code, call))});
      }
    }
  }

  // Whether the instruction says of what is part of the model whether it is trained, or calls what does.
  bool changes(const FunctionCode& code, ProgramPoint at, ir::ExprId model) const {
    const ir::ExprId changed = changed_by(code, code.instruction(at));
    if (changed.valid()) return is_of(code, changed, at, model);
    return code.instruction(at).kind == ir::InstructionKind::Call && callee_changes(code, at, model);
  }

  // `x` of `x.requires_grad = False` and `x.requires_grad_(False)`; invalid: it is neither. What it is made to be is
  // written there: a copy of another parameter is as that one is.
  ir::ExprId changed_by(const FunctionCode& code, const ir::Instruction& i) const {
    const bool assigns = i.kind == ir::InstructionKind::Assign;
    const ir::ExprId named = assigns ? i.target : i.kind == ir::InstructionKind::Call ? i.value : ir::ExprId{};
    if (!named.valid() || code.ir.exprs[named].kind != ir::ExprKind::Attribute) return {};
    const ir::ExprId given = assigns ? i.value : first_argument(code, i);
    const bool is_written = !given.valid() || code.ir.exprs[given].kind == ir::ExprKind::True ||
                            code.ir.exprs[given].kind == ir::ExprKind::False;
    if (!is_written) return {};
    return in_.roles().play(code.text.text(code.ir.exprs[named].symbol), Role::TellsTrained)
               ? ir::children(code.ir, named)[0]
               : ir::ExprId{};
  }

  // Whether the function of the project that is called changes what it is given of the model.
  bool callee_changes(const FunctionCode& code, ProgramPoint at, ir::ExprId model) const {
    const ir::Instruction& call = code.instruction(at);
    const FunctionKey callee = in_.index().resolve(code.module, code.ir, call.value).function;
    const Summary* s = callee.valid() ? in_.summary(callee) : nullptr;
    if (!s) return false;
    const FunctionCode body(in_.index(), *s);
    std::set<int> changed;  // parameters
    for (const ir::BlockId b : s->graph().order())
      for (uint32_t i = 0; i < body.ir.blocks[b].instructions.size(); ++i)
        if (const ir::ExprId e = changed_by(body, body.ir.blocks[b].instructions[i]); e.valid())
          changed.merge(derivation_of(body, e, {b, i}).parameters);
    return std::ranges::any_of(changed, [&](int parameter) {
      const ir::ExprId given = argument_for(code, call, in_.index(), callee, parameter, false);
      return given.valid() && is_of(code, given, at, model);
    });
  }

  // Whether it is the model, or derives from it.
  static bool is_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at, ir::ExprId model) {
    const auto is_model = [&](ir::ExprId part) { return ir::same_tree(code.ir, part, model); };
    if (ir::any_part(code.ir, e, is_model)) return true;
    const Derivation from = derivation_of(code, e, at);
    const ir::Expr& expr = code.ir.exprs[model];
    return (expr.kind == ir::ExprKind::Name && from.names.contains(expr.symbol)) ||
           std::ranges::any_of(from.attributes, [&](ir::ExprId part) { return ir::any_part(code.ir, part, is_model); });
  }

  const Query& in_;
  std::vector<ChangedModel> found_;
};

}  // namespace

std::vector<ChangedModel> changed_models(const Query& in) { return Changes(in).run(); }

}  // namespace ranklint::divergent_wrapping
