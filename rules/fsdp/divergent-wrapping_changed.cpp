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
#include "analyzer/resolve/builtins.h"
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

  // Looks for the only change of the model before it is wrapped. Another one may undo it, or be made by the other
  // ranks.
  void look_before(const Summary& s, const FunctionCode& code, ProgramPoint wrap, ir::ExprId model) {
    std::vector<ProgramPoint> changes;
    for (const ir::BlockId b : s.graph().order()) {
      if (s.graph().position(b) >= s.graph().position(wrap.block)) continue;
      for (uint32_t i = 0; i < code.ir.blocks[b].instructions.size(); ++i)
        if (changes_model(code, {b, i}, model)) changes.push_back({b, i});
    }
    if (changes.size() != 1) return;
    const ir::BlockId guard = rank_guard_of(in_, s, changes[0].block);
    if (!guard.valid() || is_made_between(code, model, changes[0], wrap)) return;
    const ir::Instruction& call = code.instruction(wrap);
    found_.push_back({.function = s.function,
                      .change = code.instruction(changes[0]).range,
                      .guard = code.ir.blocks[guard].terminator.range,
                      .wrap = call.range,
                      .wrapper = std::string(name_of_callee(code, call))});
  }

  // Whether another model has come by that name.
  static bool is_made_between(const FunctionCode& code, ir::ExprId model, ProgramPoint change, ProgramPoint wrap) {
    if (code.ir.exprs[model].kind != ir::ExprKind::Name) return false;
    const auto places = [&](ProgramPoint at) {
      const Reaching reaching = code.reaching(code.ir.exprs[model].symbol, at);
      std::set<ProgramPoint> all;
      for (const Definition& d : reaching.definitions) all.insert(d.place);
      return std::pair(all, reaching.entry);
    };
    return places(change) != places(wrap);
  }

  // Whether the instruction says of what is part of the model whether it is trained, or calls what does.
  bool changes_model(const FunctionCode& code, ProgramPoint at, ir::ExprId model) const {
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
        if (const ir::ExprId e = changed_by(body, body.ir.blocks[b].instructions[i]); e.valid()) {
          Derivation from = derivation_of(body, e, {b, i});
          if (is_of_parts(body, from)) changed.merge(from.parameters);
        }
    return std::ranges::any_of(changed, [&](int parameter) {
      const ir::ExprId given = argument_for(code, call, in_.index(), callee, parameter, false);
      return given.valid() && is_of(code, given, at, model);
    });
  }

  // Whether it is the model, a part of it, or one of its parameters; what else is made of it is another object.
  bool is_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at, ir::ExprId model) const {
    const auto is_model = [&](ir::ExprId part) { return ir::same_tree(code.ir, part, model); };
    const ir::Expr& expr = code.ir.exprs[model];
    const Symbol variable = expr.kind == ir::ExprKind::Name ? expr.symbol : Symbol{};
    const Derivation from = derivation_of(code, e, at, variable);
    if (!is_of_parts(code, from)) return false;
    return ir::any_part(code.ir, e, is_model) || (variable.valid() && from.names.contains(variable)) ||
           std::ranges::any_of(from.attributes, [&](ir::ExprId part) { return ir::any_part(code.ir, part, is_model); });
  }

  bool is_of_parts(const FunctionCode& code, const Derivation& from) const {
    return std::ranges::all_of(from.calls, [&](const ProgramPoint& call) { return gives_parts(code, call); });
  }

  // `model.parameters()`, `list(parts)`
  bool gives_parts(const FunctionCode& code, ProgramPoint at) const {
    const ir::Instruction& call = code.instruction(at);
    const std::string name = foreign_name(in_.index(), code.module, code.ir, call.value);
    return plays(in_, code, call, Role::GivesModelState) || is_builtin(name, Builtin::List) ||
           is_builtin(name, Builtin::Enumerate) || is_builtin(name, Builtin::Tuple);
  }

  const Query& in_;
  std::vector<ChangedModel> found_;
};

}  // namespace

std::vector<ChangedModel> changed_models(const Query& in) { return Changes(in).run(); }

}  // namespace ranklint::divergent_wrapping
