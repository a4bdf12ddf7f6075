// A move by `.cpu()` that every later way passes makes earlier ones forgotten; any other move may be the last. A
// module's parameters may be moved one by one (`p.data = p.data.cuda()`), which is a move of the module, too.
#include "analyzer/questions/module_moves.h"

#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

bool says_dtype(const NamePriors& priors, const FunctionCode& code, ir::ExprId e) {
  const ir::Expr& expr = code.ir.exprs[e];
  return (expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute) &&
         priors.suggest(code.text.text(expr.symbol), NameMeaning::NumberType);
}

Where device_of_text(std::string_view device) {
  return device == "cpu" ? Where::Host : device == "meta" ? Where::Meta : Where::Device;
}

// `.to(...)`: nothing where only the type changes.
std::optional<Where> target_of_to(const Query& in, const FunctionCode& code, const ir::Instruction& call, Place at) {
  std::optional<Where> where;
  for (const ir::Argument& a : ir::arguments(code.ir, call)) {
    const std::string_view keyword =
        a.kind == ir::ArgumentKind::Keyword ? code.text.text(a.keyword) : std::string_view();
    if (keyword == "dtype" || keyword == "non_blocking" || keyword == "memory_format" ||
        says_dtype(in.priors(), code, a.value))
      continue;
    const Where given = device_of(code, in.index(), a.value, at);
    if (!where || given == Where::Device) where = given == Where::Unknown ? Where::Device : given;
  }
  return where;
}

}  // namespace

Where device_of(const FunctionCode& code, const ProjectIndex& index, ir::ExprId e, Place at) {
  const ir::Expr& expr = code.ir.exprs[e];
  if (expr.kind == ir::ExprKind::String) return device_of_text(code.text.text(expr.symbol));
  if (expr.kind != ir::ExprKind::Name) return Where::Unknown;
  const Reaching from = code.reaching(expr.symbol, at);
  if (from.entry || from.definitions.size() != 1 || !from.definitions[0].direct || !from.definitions[0].instruction)
    return Where::Unknown;
  const auto& [place, made, direct] = from.definitions[0];
  if (made->kind == ir::InstructionKind::Assign) {
    const ir::Expr& value = code.ir.exprs[made->value];
    return value.kind == ir::ExprKind::String ? device_of_text(code.text.text(value.symbol)) : Where::Unknown;
  }
  if (made->kind != ir::InstructionKind::Call || last_part(index.dotted(code.module, code.ir, made->value)) != "device")
    return Where::Unknown;
  const ir::ExprId given = first_argument(code, *made);
  if (!given.valid()) return Where::Unknown;
  return code.ir.exprs[given].kind == ir::ExprKind::String ? device_of_text(code.text.text(code.ir.exprs[given].symbol))
                                                           : Where::Device;
}

bool is_move(const Roles& roles, std::string_view callee) {
  return callee == "to" || callee == "cpu" || roles.play(callee, Role::MovesToDevice);
}

namespace {

class Moves {
 public:
  Moves(const Query& in, const FunctionCode& code, const std::set<Symbol>& names)
      : in_(in), code_(code), names_(names) {}

  std::vector<Move> run(Place before) {
    for (ir::BlockId b : code_.graph.order()) {
      const auto& instructions = code_.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size() && (b != before.block || i < before.instruction); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call) look(instructions[i], {b, i});
    }
    forget_earlier(before);
    return std::move(found_);
  }

 private:
  bool is_it(ir::ExprId e, Place at) const {
    if (code_.mentions(e, [&](Symbol s) { return names_.contains(s); })) return true;
    const Derivation from = derivation_of(code_, e, at);
    return std::any_of(from.names.begin(), from.names.end(), [&](Symbol s) { return names_.contains(s); });
  }

  void look(const ir::Instruction& call, Place at) {
    const std::string_view word = name_of_callee(code_, call);
    const bool method = code_.ir.exprs[call.value].kind == ir::ExprKind::Attribute;
    if (method && is_move(in_.roles(), word) && is_it(ir::children(code_.ir, call.value)[0], at)) {
      const std::optional<Where> to = word == "to"    ? target_of_to(in_, code_, call, at)
                                      : word == "cpu" ? Where::Host
                                                      : Where::Device;
      if (to) found_.push_back({*to, at});
      return;
    }
    if (!in_.priors().suggest(word, NameMeaning::PlacesModel) && !body_moves(call)) return;
    for (const ir::Argument& a : ir::arguments(code_.ir, call))
      if (is_it(a.value, at)) {
        found_.push_back({Where::Unknown, at});
        return;
      }
  }

  // Whether it is a function of the project in which something is moved.
  bool body_moves(const ir::Instruction& call) const {
    const Entity entity = in_.index().resolve(code_.module, code_.ir, call.value);
    if (entity.kind != Entity::Kind::Function) return false;
    const ir::Function& body = in_.index().function(entity.function);
    const ir::Module& text = in_.index().modules()[in_.index().functions()[entity.function].module];
    return std::any_of(body.exprs.begin(), body.exprs.end(), [&](const ir::Expr& e) {
      return e.kind == ir::ExprKind::Attribute && is_move(in_.roles(), text.text(e.symbol));
    });
  }

  bool comes_first(Place a, Place b) const {
    return a.block == b.block ? a.instruction < b.instruction : code_.graph.dominates(a.block, b.block);
  }

  void forget_earlier(Place before) {
    for (size_t i = found_.size(); i-- > 0;) {
      if (!comes_first(found_[i].place, before)) continue;
      const Place last = found_[i].place;
      std::erase_if(found_, [&](const Move& m) { return m.place != last && comes_first(m.place, last); });
      return;
    }
  }

  const Query& in_;
  const FunctionCode& code_;
  const std::set<Symbol>& names_;
  std::vector<Move> found_;
};

}  // namespace

std::vector<Move> last_moves(const Query& in, const FunctionCode& code, const std::set<Symbol>& names, Place before) {
  return Moves(in, code, names).run(before);
}

}  // namespace ranklint
