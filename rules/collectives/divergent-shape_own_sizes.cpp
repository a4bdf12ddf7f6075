// As many elements as the data say: each rank picks those of its own batch that pass a test, or generates as many
// tokens as the longest sequence of its batch takes, and how many those are is its own.
//
//     kept = losses[losses > 0]
//     dist.all_gather_into_tensor(everyone, kept)
//
//     tokens = model.generate(**batch)
//     everyone = accelerator.gather(tokens)          # of one length only by chance
//
//     results = [measure(x) for x in items[rank::world]]
//     dist.all_gather(everyone, torch.tensor(results))  # one more on some ranks, where there is a rest
//
// What is made of the elements (their sum, a tensor that they are copied into) has a size of its own, and is not looked
// through. A function that pads anything knows of it.
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/identifier_words.h"
#include "analyzer/variance/terms.h"
#include "rules/collectives/divergent-shape.h"

namespace ranklint::divergent_shape {
namespace {

constexpr int kMostStepsBack = 6;  // from what is communicated back to what has made it

class OwnSizes {
 public:
  explicit OwnSizes(const Query& in) : in_(in), index_(in.index()), values_(in.values()) {}

  std::vector<OwnSize> run() {
    in_.for_each_function_to_check("sizes by data", [&](FunctionKey f) {
      if (const Summary* s = in_.summary(f); s && s->communicates) look_at(*s);
    });
    return std::move(found_);
  }

 private:
  struct Maker {
    OwnSize::By by;
    SourceRange range;
    bool tests_own_elements = false;  // selected by a test of the elements themselves
  };

  void look_at(const Summary& s) {
    const FunctionCode code(index_, s);
    const bool generates = names_one(in_, code, Role::GeneratesTokens);
    for (const ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps)
        if (step.event && step.event->model->same_shape) {
          const ValueId sent = in_.argument(step.call, sized_argument(*step.event->model));
          if (generates || is_of_own_data(sent) || is_of_share(sent) || is_subscript(sent))
            check(code, step, sent, {b, in_.site(step.site).instruction});
        }
  }

  bool is_subscript(ValueId v) const { return v.valid() && values_[v].kind == ValueKind::Subscript; }

  // Whether it is a tensor that is as long as this rank's share of something.
  bool is_of_share(ValueId tensor) const {
    if (!tensor.valid() || values_[tensor].kind != ValueKind::Tensor) return false;
    return std::ranges::any_of(values_.children(tensor).subspan(1), [&](ValueId size) {
      return values_.is_result_of(size, ValueStore::Trait::CountsElements) && values_[size].child_count == 1 &&
             values_.is_uneven_share(values_.child(size, 0));
    });
  }

  void check(const FunctionCode& code, const Step& step, ValueId tensor, ProgramPoint at) {
    const Model& model = *step.event->model;
    if (at.instruction >= code.ir.blocks[at.block].instructions.size()) return;
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    if (call.kind != ir::InstructionKind::Call) return;
    const auto given = [&](const ArgumentSpec& argument) {
      return given_for(code.ir, code.text, call, argument.position, argument.keyword);
    };
    const ArgumentSpec& sized = sized_argument(model);
    const ir::ExprId sent = given(sized);
    std::optional<Maker> made = sent.valid() ? maker_of(code, sent, at, step.range, kMostStepsBack) : std::nullopt;
    if (!made && sent.valid() && is_of_share(tensor) && !divides(code))
      made = Maker{OwnSize::By::Share, made_at(code, tensor, step.range)};
    if (!made || pads(code)) return;
    // What is generated for ranks of one group alone is generated there alike. What is reduced or gathered is each
    // rank's own, and so is how many of its elements pass a test.
    const bool counts = made->by == OwnSize::By::Share ||
                        (made->by == OwnSize::By::Selection ? made->tests_own_elements || is_of_own_data(tensor)
                                                            : !given(model.group.argument).valid());
    if (!counts) return;
    const std::string_view name = code.name(sent);
    found_.push_back({.by = made->by,
                      .function = code.key,
                      .range = step.range,
                      .op = model.op,
                      .name = SymbolTable::is_unnamed(name) ? std::string() : std::string(name),
                      .made_at = made->range,
                      .certainty = model_certainty(model, {code.key, step.range})});
    found_.back().certainty.lower_to(Confidence::Likely);
    if (model.sizes == SizesGiven::InPairs && !receives_as_it_sends(code, sent))
      found_.back().certainty.doubt({Reason::PairedSizes, {code.key, step.range}});
  }

  bool is_of_own_data(ValueId v) const {
    return v.valid() && values_.find_part(v, [&](ValueId part) { return is_of_batch(values_, index_, part); }).valid();
  }

  // What has made as many elements as the expression holds, on every way; nothing: something else has. `here`: of the
  // expression.
  std::optional<Maker> maker_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at, SourceRange here,
                                int steps) const {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Subscript) return maker_of_part(code, e, at, here, steps);
    if (expr.kind != ir::ExprKind::Name || steps == 0) return std::nullopt;
    const Reaching reaching = code.reaching(expr.symbol, at);
    std::optional<Maker> found;
    for (const Definition& d : reaching.definitions) {
      found = d.instruction && d.direct ? made_by(code, *d.instruction, d.place, steps - 1) : std::nullopt;
      if (!found) return std::nullopt;
    }
    return reaching.entry ? std::nullopt : found;
  }

  // The elements that pass a test, or a piece of what was generated: cut at its beginning it is as long as the rest.
  std::optional<Maker> maker_of_part(const FunctionCode& code, ir::ExprId e, ProgramPoint at, SourceRange here,
                                     int steps) const {
    const auto parts = ir::children(code.ir, e);
    if (is_test(code, parts[1], at, steps))
      return Maker{OwnSize::By::Selection, here, is_own_test(code, parts[0], parts[1], at)};
    const std::optional<Maker> whole = maker_of(code, parts[0], at, here, steps);
    return whole && whole->by == OwnSize::By::Generation ? whole : std::nullopt;
  }

  std::optional<Maker> made_by(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at, int steps) const {
    if (i.kind == ir::InstructionKind::Assign) return maker_of(code, i.value, at, i.range, steps);
    if (i.kind != ir::InstructionKind::Call) return std::nullopt;
    const std::string name = foreign_name(index_, code.module, code.ir, i.value);
    if (in_.roles().play(name, Role::SizedByData)) return Maker{OwnSize::By::Selection, i.range};
    if (code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return std::nullopt;
    const ir::ExprId object = ir::children(code.ir, i.value)[0];
    if (generates(code, i, name, object, at)) return Maker{OwnSize::By::Generation, i.range};
    const bool keeps = in_.roles().play(name, Role::KeepsTensor) || in_.roles().play(name, Role::CastsTensor) ||
                       in_.roles().play(name, Role::MovesToDevice);
    return keeps ? maker_of(code, object, at, i.range, steps) : std::nullopt;
  }

  // A model, without a least length: `min_new_tokens=64, max_new_tokens=64`.
  bool generates(const FunctionCode& code, const ir::Instruction& call, const std::string& name, ir::ExprId object,
                 ProgramPoint at) const {
    const std::vector<const RoleEntry*> least = in_.roles().all(name, Role::GeneratesTokens);
    return !least.empty() && in_.priors().suggest(identifier_words(code, object, at), NameMeaning::Model) &&
           std::ranges::none_of(least, [&](const RoleEntry* entry) { return given_for(code, call, *entry).valid(); });
  }

  // `x` and `x > 0`, `x.flatten()` and `torch.isnan(x)` of what the function is given, before anything has made it
  // alike on all ranks.
  bool is_own_test(const FunctionCode& code, ir::ExprId elements, ir::ExprId test, ProgramPoint at) const {
    const Derivation whole = derivation_of(code, elements, at);
    const std::set<Symbol> tested = derivation_of(code, test, at).names;
    const auto keeps = [&](ProgramPoint call) {
      const auto plays_one = [&](Role role) { return plays(in_, code, code.instruction(call), role); };
      return std::ranges::any_of(std::array{Role::KeepsTensor, Role::CastsTensor, Role::MovesOrCasts,
                                            Role::FlattensTensor, Role::JoinsTensors},
                                 plays_one);
    };
    const bool is_given = std::ranges::all_of(whole.calls, keeps) && !is_sent_before(code, whole.names, at);
    return is_given && std::ranges::any_of(whole.names, [&](Symbol name) {
             return tested.contains(name) && !SymbolTable::is_unnamed(code.text.text(name));
           });
  }

  // Whether one of the variables is given to a collective before.
  bool is_sent_before(const FunctionCode& code, const std::set<Symbol>& names, ProgramPoint at) const {
    const auto is_one = [&](const ir::Argument& a) {
      return a.value.valid() && code.ir.exprs[a.value].kind == ir::ExprKind::Name &&
             names.contains(code.ir.exprs[a.value].symbol);
    };
    const Summary& s = *in_.summary(code.key);
    return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
      return std::ranges::any_of(s.blocks[b.index].steps, [&](const Step& step) {
        const uint32_t i = in_.site(step.site).instruction;
        const bool is_before =
            code.graph().position(b) < code.graph().position(at.block) || (b == at.block && i < at.instruction);
        return step.event && is_before && i < code.ir.blocks[b].instructions.size() &&
               std::ranges::any_of(ir::arguments(code.ir, code.ir.blocks[b].instructions[i]), is_one);
      });
    });
  }

  // `x > 0`, `(x > 0) & (x < 1)`, `~(x > 0)`, `torch.isnan(x)`, or a variable that holds one on every way.
  bool is_test(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int steps) const {
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
             if (!d.direct || !d.instruction) return false;
             if (d.instruction->kind == ir::InstructionKind::Call)
               return tests_elements(code, *d.instruction, d.place, steps - 1);
             return d.instruction->kind == ir::InstructionKind::Assign &&
                    is_test(code, d.instruction->value, d.place, steps - 1);
           });
  }

  // `torch.isnan(x)`, `torch.nonzero(x)`, `torch.nonzero(x).flatten()`
  bool tests_elements(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at, int steps) const {
    const auto is = [&](Role role) { return plays(in_, code, call, role); };
    if (is(Role::LooksForNoNumber) || is(Role::SizedByData)) return true;
    return code.ir.exprs[call.value].kind == ir::ExprKind::Attribute &&
           (is(Role::FlattensTensor) || is(Role::KeepsTensor)) &&
           is_test(code, ir::children(code.ir, call.value)[0], at, steps);
  }

  SourceRange made_at(const FunctionCode& code, ValueId tensor, SourceRange otherwise) const {
    const Site* site = in_.made_at(tensor);
    if (!site || site->function != code.key) return otherwise;
    const auto& instructions = code.ir.blocks[site->block].instructions;
    return site->instruction < instructions.size() ? instructions[site->instruction].range : otherwise;
  }

  // What is left over may have been left out.
  static bool divides(const FunctionCode& code) {
    return std::ranges::any_of(code.ir.exprs, [](const ir::Expr& e) {
      return e.kind == ir::ExprKind::Binary && (e.op == ir::Operator::FloorDivide || e.op == ir::Operator::Modulo);
    });
  }

  // `[torch.empty_like(mine) for _ in range(world)]`: where this rank takes all others' tensors for as large as its
  // own.
  bool receives_as_it_sends(const FunctionCode& code, ir::ExprId sent) const {
    if (code.ir.exprs[sent].kind != ir::ExprKind::Name) return false;
    return ir::any_instruction(code.ir, [&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || ir::arguments(code.ir, i).empty() ||
          !in_.roles().play(foreign_name(index_, code.module, code.ir, i.value), Role::MakesTensorLike))
        return false;
      const ir::Expr& like = code.ir.exprs[ir::arguments(code.ir, i)[0].value];
      return like.kind == ir::ExprKind::Name && like.symbol == code.ir.exprs[sent].symbol;
    });
  }

  // `pad_across_processes`, `F.pad`; not `pad_token_id`.
  bool pads(const FunctionCode& code) const {
    return std::ranges::any_of(code.ir.exprs, [&](const ir::Expr& expr) {
      if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) return false;
      const std::string_view name = code.text.text(expr.symbol);
      return in_.priors().suggest(name, NameMeaning::Padding) && !in_.priors().suggest(name, NameMeaning::PaddingToken);
    });
  }

  const Query& in_;
  const ProjectIndex& index_;
  const ValueStore& values_;
  std::vector<OwnSize> found_;
};

}  // namespace

std::vector<OwnSize> own_sizes(const Query& in) { return OwnSizes(in).run(); }

}  // namespace ranklint::divergent_shape
