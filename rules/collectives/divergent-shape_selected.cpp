// As many elements as the data say: each rank picks those of its own batch that pass a test, and how many those are is
// its own.
//
//     kept = losses[losses > 0]
//     dist.all_gather_into_tensor(everyone, kept)
//
// What is made of the elements (their sum, a tensor that they are copied into) has a size of its own, and is not looked
// through.
#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/events.h"
#include "analyzer/variance/terms.h"
#include "rules/collectives/divergent-shape.h"

namespace ranklint::divergent_shape {
namespace {

constexpr int kMostStepsBack = 6;  // from what is communicated back to what has picked it

class SelectedElements {
 public:
  explicit SelectedElements(const Query& in) : in_(in), index_(in.index()), values_(in.values()) {}

  std::vector<Spot> run() {
    each_event(in_, "selected elements", [&](const Summary& s, ir::BlockId b, const Step& step) {
      if (step.event->model->same_shape) check(s, step, {b, in_.site(step.site).instruction});
    });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const Step& step, Place at) {
    const Model& model = *step.event->model;
    const ArgumentSpec& sized = sized_argument(model);
    const ValueId value = in_.argument(step.call, sized);
    if (!value.valid() || !is_of_own_data(value)) return;
    const FunctionCode code(index_, s);
    if (at.instruction >= code.ir.blocks[at.block].instructions.size()) return;
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    if (call.kind != ir::InstructionKind::Call) return;
    const ir::ExprId given = given_for(code.ir, code.text, call, sized.position, sized.keyword);
    const SourceRange picked =
        given.valid() ? selection_of(code, given, at, step.range, kMostStepsBack) : SourceRange{};
    // Whoever pads anything in the function knows of it.
    if (!picked.known() || names_one(in_, code, NameMeaning::Padding)) return;
    const std::string_view name = code.name(given);
    const bool is_named = !name.empty() && !name.starts_with('%');
    found_.push_back({code.key, step.range, is_named ? "`" + std::string(name) + "`" : "what it is given", code.key,
                      picked, model.op, model_certainty(model)});
    found_.back().certainty.lower_to(Certainty::Likely);
    if (pairs_sizes(model)) found_.back().certainty.doubt({Reason::PairedSizes, {code.key, step.range}});
  }

  bool is_of_own_data(ValueId v) const {
    return values_.find_part(v, [&](ValueId part) { return is_of_batch(values_, index_, part); }).valid();
  }

  // Where the elements that an expression holds were picked, on every way; unknown: it holds something else. `here`: of
  // the expression.
  SourceRange selection_of(const FunctionCode& code, ir::ExprId e, Place at, SourceRange here, int steps) const {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Subscript)
      return is_test(code, ir::children(code.ir, e)[1], at, steps) ? here : SourceRange{};
    if (expr.kind != ir::ExprKind::Name || steps == 0) return {};
    const Reaching reaching = code.reaching(expr.symbol, at);
    SourceRange found;
    for (const Definition& d : reaching.definitions) {
      found = d.instruction && d.direct ? selection_by(code, *d.instruction, d.place, steps - 1) : SourceRange{};
      if (!found.known()) return {};
    }
    return reaching.entry ? SourceRange{} : found;
  }

  SourceRange selection_by(const FunctionCode& code, const ir::Instruction& i, Place at, int steps) const {
    if (i.kind == ir::InstructionKind::Assign) return selection_of(code, i.value, at, i.range, steps);
    if (i.kind != ir::InstructionKind::Call) return {};
    const std::string name = foreign_name(index_, code.module, code.ir, i.value);
    if (in_.roles().play(name, Role::SizedByData)) return i.range;
    const bool keeps = in_.roles().play(name, Role::KeepsTensor) || in_.roles().play(name, Role::CastsTensor);
    if (!keeps || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return {};
    return selection_of(code, ir::children(code.ir, i.value)[0], at, i.range, steps);
  }

  // `x > 0`, `(x > 0) & (x < 1)`, `~(x > 0)`, or a variable that holds one on every way.
  bool is_test(const FunctionCode& code, ir::ExprId e, Place at, int steps) const {
    const ir::Expr& expr = code.ir.exprs[e];
    const auto parts = ir::children(code.ir, e);
    const auto test = [&](ir::ExprId part) { return is_test(code, part, at, steps); };
    switch (expr.kind) {
      case ir::ExprKind::Binary:
        if (ir::is_order(expr.op) || ir::is_equality(expr.op)) return true;
        return (expr.op == ir::Operator::BitAnd || expr.op == ir::Operator::BitOr) && std::ranges::all_of(parts, test);
      case ir::ExprKind::Unary: return expr.op == ir::Operator::Invert && test(parts[0]);
      case ir::ExprKind::Name: break;
      default: return false;
    }
    if (steps == 0) return false;
    const Reaching reaching = code.reaching(expr.symbol, at);
    return !reaching.entry && !reaching.definitions.empty() &&
           std::ranges::all_of(reaching.definitions, [&](const Definition& d) {
             return d.direct && d.instruction && d.instruction->kind == ir::InstructionKind::Assign &&
                    is_test(code, d.instruction->value, d.place, steps - 1);
           });
  }

  const Query& in_;
  const ProjectIndex& index_;
  const ValueStore& values_;
  std::vector<Spot> found_;
};

}  // namespace

std::vector<Spot> selected_elements(const Query& in) { return SelectedElements(in).run(); }

}  // namespace ranklint::divergent_shape
