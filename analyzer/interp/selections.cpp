// What a mask keeps of a tensor, and whether it keeps anything:
//
//     kept = scores[mask.bool()]
//     if kept.numel() == 0: return none        # on one rank, perhaps
//     all = accelerator.gather(kept)
//
// Tensors count as alike in shape, and one of unknown origin counts as equal everywhere. But a program that gathers
// what a mask keeps says itself that each rank keeps its own; then its size, and whether it is empty, is each rank's
// own as well. The same holds for a tensor that is tested by its value and then reduced, itself or what was computed of
// it, for the first time:
//
//     if valid.sum() == 0: return none
//     count = valid.sum()
//     dist.all_reduce(count)
//
// But not for parameters and what belongs to them: which of those there are is alike everywhere.
//
// Read off the text of one function: the selection has a name, and something that is called like a gather or a
// reduction takes it, or what was computed of it.
#include <algorithm>
#include <array>

#include "analyzer/interp/function_run.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/summary/tensors.h"

namespace ranklint {
namespace {

constexpr int kRounds = 3;  // a loop hands on once per round what its end computes for its beginning

class Selections {
 public:
  Selections(const ProjectIndex& index, const Models& models, FunctionKey f)
      : index_(index),
        roles_(models.roles()),
        priors_(models.names()),
        module_(index.functions()[f].module),
        ir_(index.modules()[module_]),
        f_(index.function(f)) {}

  std::set<Symbol> exchanged() {
    find();
    for (const auto& [name, mask] : selected_) {
      derived_ = {name};
      derive_all(0);
      if (!reaches_exchange()) continue;
      out_.insert(name);
      if (mask.valid()) out_.insert(mask);
    }
    for (const auto& [name, line] : asked()) {
      derived_ = {name};
      derive_all(0);
      if (reaches_exchange() && !is_agreed_before(name, line)) out_.insert(name);
    }
    return std::move(out_);
  }

 private:
  template <typename Do>
  void each(Do what) const {
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      for (const ir::Instruction& i : f_.blocks[ir::BlockId{b}].instructions) what(i);
  }

  const ir::Expr& expr(ir::ExprId e) const { return f_.exprs[e]; }
  bool is_name(ir::ExprId e) const { return e.valid() && expr(e).kind == ir::ExprKind::Name; }

  // As against `torch` of `torch.any(mask)`.
  bool is_variable(Symbol name) const {
    bool given = std::ranges::any_of(f_.parameters, [&](const ir::Parameter& p) { return p.name == name; });
    each([&](const ir::Instruction& i) {
      given |= i.kind != ir::InstructionKind::Import && is_name(i.target) && expr(i.target).symbol == name;
    });
    return given || std::ranges::any_of(f_.blocks, [&](const ir::Block& b) {
             return is_name(b.terminator.target) && expr(b.terminator.target).symbol == name;
           });
  }

  // Tensors that are asked what they hold, and the first line where they are. How large one is that is reduced is alike
  // everywhere: else it could not be.
  std::map<Symbol, uint32_t> asked() const {
    std::map<Symbol, uint32_t> out;
    each([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || expr(i.value).kind != ir::ExprKind::Attribute) return;
      const ir::ExprId object = ir::children(f_, i.value)[0];
      const std::string_view question = ir_.text(expr(i.value).symbol);
      if (!is_name(object) || !is_builtin(question, {Builtin::Any, Builtin::Sum}) ||
          !is_variable(expr(object).symbol) || priors_.suggest(ir_.text(expr(object).symbol), NameMeaning::ModelState))
        return;
      const auto [place, added] = out.try_emplace(expr(object).symbol, i.range.line);
      if (!added) place->second = std::min(place->second, i.range.line);
    });
    return out;
  }

  // Whether it took part in an exchange further up, or was made of what one gave.
  bool is_agreed_before(Symbol name, uint32_t line) {
    bool agreed = false;
    each([&](const ir::Instruction& exchange) {
      if (agreed || exchange.kind != ir::InstructionKind::Call || exchange.range.line >= line ||
          !exchange.value.valid())
        return;
      const ir::Expr& callee = expr(exchange.value);
      if ((callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) ||
          !sounds_like_agreement(ir_.text(callee.symbol)))
        return;
      derived_.clear();
      if (is_name(exchange.target)) derived_.insert(expr(exchange.target).symbol);
      for (const ir::Argument& a : ir::arguments(f_, exchange))
        if (is_name(a.value)) derived_.insert(expr(a.value).symbol);
      derive_all(exchange.range.line + 1);
      agreed = derived_.contains(name);
    });
    return agreed;
  }

  void find() {
    each([&](const ir::Instruction& i) {
      if (!is_name(i.target) || !i.value.valid()) return;
      const Symbol name = expr(i.target).symbol;
      if (i.kind == ir::InstructionKind::Call && expr(i.value).kind == ir::ExprKind::Attribute) {
        const ir::ExprId object = ir::children(f_, i.value)[0];
        const std::string_view method = ir_.text(expr(i.value).symbol);
        if (is_builtin(method, Builtin::Bool) && is_name(object)) masks_[name] = expr(object).symbol;
        if (keeps_ranks(roles_, method) || roles_.play(method, Role::FlattensTensor)) note_selection(name, object);
      }
      if (i.kind == ir::InstructionKind::Assign) {
        if (compares(i.value)) masks_[name] = name;
        note_selection(name, i.value);
      }
    });
  }

  // x[mask], x[mask.bool()], x[x > 0]
  void note_selection(Symbol name, ir::ExprId e) {
    if (expr(e).kind != ir::ExprKind::Subscript) return;
    const ir::ExprId key = ir::children(f_, e)[1];
    if (compares(key)) selected_.emplace(name, Symbol{});
    if (!is_name(key)) return;
    const auto known = masks_.find(expr(key).symbol);
    if (known != masks_.end())
      selected_.emplace(name, known->second);
    else if (priors_.suggest(ir_.text(expr(key).symbol), NameMeaning::Mask))
      selected_.emplace(name, expr(key).symbol);
  }

  // `labels != -100`: of a tensor and a number or another tensor; what asks for `is` and `in` makes no mask.
  bool compares(ir::ExprId e) const {
    using ir::Operator;
    constexpr std::array kAll{Operator::NotEqual, Operator::Less, Operator::LessEqual, Operator::Greater,
                              Operator::GreaterEqual};
    return expr(e).kind == ir::ExprKind::Binary && std::ranges::find(kAll, expr(e).op) != kAll.end();
  }

  bool mentions(ir::ExprId e) const {
    return ir::any_part(f_, e, [&](ir::ExprId part) {
      return expr(part).kind == ir::ExprKind::Name && derived_.contains(expr(part).symbol);
    });
  }

  bool takes_derived(const ir::Instruction& i) const {
    if (i.kind != ir::InstructionKind::Call) return false;
    return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return mentions(a.value); });
  }

  void derive(const ir::Instruction& i) {
    if (is_name(i.target) && (mentions(i.value) || takes_derived(i))) derived_.insert(expr(i.target).symbol);
  }

  void derive_all(uint32_t from_line) {
    for (int round = 0; round < kRounds; ++round)
      each([&](const ir::Instruction& i) {
        if (i.range.line >= from_line) derive(i);
      });
  }

  bool reaches_exchange() const {
    bool found = false;
    each([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || !i.value.valid()) return;
      const ir::Expr& callee = expr(i.value);
      const bool named = callee.kind == ir::ExprKind::Name || callee.kind == ir::ExprKind::Attribute;
      found |= named && priors_.suggest(ir_.text(callee.symbol), NameMeaning::Exchange) && !is_torch_gather(i.value) &&
               takes_derived(i);
    });
    return found;
  }

  // torch.gather(x, 1, index) picks elements of one tensor.
  bool is_torch_gather(ir::ExprId callee) const {
    if (expr(callee).kind != ir::ExprKind::Attribute || ir_.text(expr(callee).symbol) != "gather") return false;
    const ir::ExprId object = ir::children(f_, callee)[0];
    return is_name(object) && (derived_.contains(expr(object).symbol) ||
                               roles_.play(foreign_name(index_, module_, f_, callee), Role::PicksElements));
  }

  // What is reduced or broadcast is alike after it.
  bool sounds_like_agreement(std::string_view function) const {
    return priors_.suggest(function, NameMeaning::Exchange) || priors_.suggest(function, NameMeaning::Reduction);
  }

  const ProjectIndex& index_;
  const Roles& roles_;
  const NamePriors& priors_;
  const ModuleKey module_;
  const ir::Module& ir_;
  const ir::Function& f_;
  std::map<Symbol, Symbol> masks_;     // a name that a mask was given, and the variable that it was made of
  std::map<Symbol, Symbol> selected_;  // what a mask keeps, and the mask
  std::set<Symbol> derived_, out_;
};

}  // namespace

// `kept.numel()`, `len(kept)`, `mask.any()`, `mask.sum()` of a selection that is exchanged. Invalid: the call asks
// nothing of the kind.
ValueId FunctionRun::asked_of_selection(const ir::Instruction& i) {
  const ir::Expr& callee = f_.exprs[i.value];
  const std::string_view name = callee.kind == ir::ExprKind::Name || callee.kind == ir::ExprKind::Attribute
                                    ? ir_.text(callee.symbol)
                                    : std::string_view();
  const bool reads_length = callee.kind == ir::ExprKind::Name && is_builtin(name, Builtin::Len);
  const bool asks = callee.kind == ir::ExprKind::Attribute &&
                    (in_.roles().play(name, Role::TellsSize) || is_builtin(name, {Builtin::Any, Builtin::Sum}));
  const auto arguments = ir::arguments(f_, i);
  if (!asks && !(reads_length && arguments.size() == 1)) return {};
  const ir::ExprId of = asks ? ir::children(f_, i.value)[0] : arguments[0].value;
  if (f_.exprs[of].kind != ir::ExprKind::Name) return {};
  if (reads_length && is_gathered_object(of)) return values_.batch(here().index);
  if (!selections_) selections_ = Selections(index_, in_.models_, key_).exchanged();
  if (!selections_->count(f_.exprs[of].symbol)) return {};
  const ValueId own = values_.batch(here().index);
  return is_builtin(name, Builtin::Any) ? values_.binary(ir::Operator::Greater, own, values_.integer(0)) : own;
}

}  // namespace ranklint
