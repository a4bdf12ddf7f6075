#include "analyzer/doubts/missing_attributes.h"

#include <algorithm>

#include "analyzer/resolve/callee_role.h"

namespace ranklint {
namespace {

class MissingAttributes {
 public:
  MissingAttributes(const Query& query, ClassKey owner) : in_(query), index_(query.index()), owner_(owner) {}

  std::optional<CodePlace> read_in_step() const {
    for (const auto& [name, method] : index_.classes()[owner_].methods) {
      const std::string_view word = index_.names().text(name);
      if (!role_of_method(in_.roles(), index_, owner_, word, Role::TakesBatch) || runs_on_some(method)) continue;
      if (const std::optional<CodePlace> place = read_in(method)) return place;
    }
    return std::nullopt;
  }

 private:
  // By a decorator: `@rank_zero_only`.
  bool runs_on_some(FunctionKey f) const {
    const ValueStore& values = in_.values();
    const ValueId value = in_.function_value(f, {});
    return values[value].kind == ValueKind::Guarded && values.diverges(values.child(value, 1));
  }

  std::optional<CodePlace> read_in(FunctionKey step) const {
    const Summary* s = in_.summary(step);
    const ir::Function& f = index_.function(step);
    if (!s || f.parameters.empty()) return std::nullopt;
    for (const ir::BlockId b : s->graph().order()) {
      if (!lies_on_all_ways(*s, f, b)) continue;
      for (const ir::Instruction& i : f.blocks[b].instructions)
        if (reads_missing(step, f, i)) return CodePlace{step, i.range};
    }
    return std::nullopt;
  }

  static bool lies_on_all_ways(const Summary& s, const ir::Function& f, ir::BlockId block) {
    return std::ranges::all_of(s.graph().order(), [&](ir::BlockId b) {
      return f.blocks[b].terminator.kind != ir::TerminatorKind::Return || s.graph().dominates(block, b);
    });
  }

  bool reads_missing(FunctionKey step, const ir::Function& f, const ir::Instruction& i) const {
    if (i.kind != ir::InstructionKind::Call && i.kind != ir::InstructionKind::Assign) return false;
    const auto arguments = i.kind == ir::InstructionKind::Call ? ir::arguments(f, i) : std::span<const ir::Argument>();
    return holds_missing(step, f, i.value) ||
           std::ranges::any_of(arguments, [&](const ir::Argument& a) { return holds_missing(step, f, a.value); });
  }

  bool holds_missing(FunctionKey step, const ir::Function& f, ir::ExprId e) const {
    if (!e.valid()) return false;
    const auto children = ir::children(f, e);
    if (f.exprs[e].kind == ir::ExprKind::Attribute && f.exprs[children[0]].kind == ir::ExprKind::Name &&
        f.exprs[children[0]].symbol == f.parameters[0].name)
      return is_made_by_some(index_.name(index_.functions()[step].module, f.exprs[e].symbol));
    return std::ranges::any_of(children, [&](ir::ExprId child) { return holds_missing(step, f, child); });
  }

  // Whether all that give objects of the class this attribute run on some ranks alone.
  bool is_made_by_some(Symbol attribute) const {
    bool is_made = false;
    for (const ClassKey c : index_.linearization(owner_)) {
      if (index_.classes()[c].methods.contains(attribute)) return false;
      const auto sites = index_.classes()[c].attributes.find(attribute);
      if (sites == index_.classes()[c].attributes.end()) continue;
      is_made = true;
      if (!std::ranges::all_of(sites->second, [&](const AttributeSite& s) { return runs_on_some(s.function); }))
        return false;
    }
    return is_made &&
           std::ranges::none_of(index_.linearization(owner_), [&](ClassKey c) { return is_named_in(c, attribute); });
  }

  // As what the body of the class gives a value, or as a text: `setattr(self, "losses", [])`.
  bool is_named_in(ClassKey c, Symbol attribute) const {
    const FunctionKey body = index_.key(index_.classes()[c].module, index_.klass(c).body);
    for (uint32_t i = 0; i < index_.functions().size(); ++i) {
      const FunctionKey key{i};
      if (index_.functions()[key].owner != c && key != body) continue;
      const ir::Function& f = index_.function(key);
      const auto is_it = [&](Symbol s) { return index_.name(index_.functions()[key].module, s) == attribute; };
      const bool is_text = std::ranges::any_of(
          f.exprs, [&](const ir::Expr& e) { return e.kind == ir::ExprKind::String && is_it(e.symbol); });
      const bool is_given =
          f.kind == ir::FunctionKind::ClassBody && ir::any_instruction(f, [&](const ir::Instruction& given) {
            return given.target.valid() && f.exprs[given.target].kind == ir::ExprKind::Name &&
                   is_it(f.exprs[given.target].symbol);
          });
      if (is_text || is_given) return true;
    }
    return false;
  }

  const Query& in_;
  const ProjectIndex& index_;
  const ClassKey owner_;
};

}  // namespace

std::optional<CodePlace> reads_what_some_made(const Query& query, FunctionKey f) {
  const ClassKey owner = query.index().functions()[f].owner;
  return owner.valid() ? MissingAttributes(query, owner).read_in_step() : std::nullopt;
}

}  // namespace ranklint
