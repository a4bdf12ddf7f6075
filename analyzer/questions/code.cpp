#include "analyzer/questions/code.h"

#include <algorithm>
#include <set>

#include "analyzer/base/work_limit.h"

namespace ranklint {

std::string_view FunctionCode::name(ir::ExprId e) const {
  return e.valid() && ir.exprs[e].kind == ir::ExprKind::Name ? text.text(ir.exprs[e].symbol) : std::string_view();
}

bool FunctionCode::mentions(ir::ExprId e, const std::function<bool(Symbol)>& wanted) const {
  if (!e.valid()) return false;
  charge_work();
  const ir::Expr& expr = ir.exprs[e];
  if (expr.kind == ir::ExprKind::Name) return wanted(expr.symbol);
  for (ir::ExprId child : ir::children(ir, e))
    if (mentions(child, wanted)) return true;
  return false;
}

bool FunctionCode::mentions(ir::ExprId e, Symbol name) const {
  return mentions(e, [name](Symbol s) { return s == name; });
}

bool FunctionCode::reads(const ir::Instruction& i, const std::function<bool(Symbol)>& wanted) const {
  if (mentions(i.value, wanted)) return true;
  for (const ir::Argument& a : ir::arguments(ir, i))
    if (mentions(a.value, wanted)) return true;
  if (!i.target.valid() || ir.exprs[i.target].kind == ir::ExprKind::Name) return false;
  bool ignored = false;
  return mentions(i.target, [&](Symbol s) { return wanted(s) && !gives_value(ir, i.target, {.name = s}, ignored); });
}

bool FunctionCode::reads(const ir::Instruction& i, Symbol name) const {
  return reads(i, [name](Symbol s) { return s == name; });
}

bool FunctionCode::reads(const ir::Terminator& t, Symbol name) const { return mentions(t.value, name); }

bool FunctionCode::defines(const ir::Instruction& i, Symbol name) const {
  bool direct = false;
  return i.kind != ir::InstructionKind::Delete && gives_value(ir, i.target, {.name = name}, direct);
}

Symbol FunctionCode::root(ir::ExprId target) const {
  while (target.valid()) {
    const ir::Expr& expr = ir.exprs[target];
    if (expr.kind == ir::ExprKind::Name) return expr.symbol;
    if (expr.kind != ir::ExprKind::Attribute && expr.kind != ir::ExprKind::Subscript) return {};
    target = ir::children(ir, target)[0];
  }
  return {};
}

int FunctionCode::parameter(Symbol name) const {
  for (size_t p = 0; p < ir.parameters.size(); ++p)
    if (ir.parameters[p].name == name) return static_cast<int>(p);
  return -1;
}

std::optional<Definition> FunctionCode::only_definition(ir::ExprId e, ProgramPoint at) const {
  return e.valid() && ir.exprs[e].kind == ir::ExprKind::Name ? reaching(ir.exprs[e].symbol, at).only() : std::nullopt;
}

bool FunctionCode::last_definition(const Assignable& what, ir::BlockId block, uint32_t before, Definition& out) const {
  const std::optional<GivenBy> given = last_given(ir, what, block, before);
  if (!given) return false;
  const auto& instructions = ir.blocks[block].instructions;
  const bool by_loop = given->instruction == instructions.size();
  out = {{block, given->instruction}, by_loop ? nullptr : &instructions[given->instruction], given->direct};
  return true;
}

Reaching FunctionCode::reaching(const Assignable& what, ProgramPoint at) const {
  Reaching out;
  Definition found;
  if (last_definition(what, at.block, at.instruction, found)) return out.definitions.push_back(found), out;
  std::set<ir::BlockId> seen;
  std::vector<ir::BlockId> work{at.block};
  auto come_from = [&](ir::BlockId block) {
    if (!seen.insert(block).second) return;
    if (last_definition(what, block, UINT32_MAX, found))
      out.definitions.push_back(found);
    else
      work.push_back(block);
  };
  while (!work.empty()) {
    const ir::BlockId block = work.back();
    work.pop_back();
    if (block.index == 0) out.entry = true;
    for (ir::BlockId before : graph_.predecessors(block)) come_from(before);
    for (ir::BlockId failing : graph_.handled_by(block)) come_from(failing);
  }
  std::sort(out.definitions.begin(), out.definitions.end(),
            [](const Definition& a, const Definition& b) { return a.place < b.place; });
  return out;
}

// A function that is defined in this one.
static FunctionKey function_within(const ProjectIndex& index, const FunctionCode& code, std::string_view name) {
  const ir::FunctionId parent = index.functions()[code.key].id;
  for (uint32_t f = 0; f < code.text.functions.size(); ++f)
    if (const ir::Function& inner = code.text.functions[ir::FunctionId{f}];
        inner.parent == parent && code.text.text(inner.name) == name)
      return index.key(code.module, ir::FunctionId{f});
  return {};
}

FunctionKey function_called_in(const ProjectIndex& index, const FunctionCode& code, std::string_view text) {
  const std::string_view name = text.substr(0, text.find('('));
  if (name.empty() || name.size() == text.size()) return {};
  if (const FunctionKey inner = function_within(index, code, name); inner.valid()) return inner;
  for (uint32_t f = 0; f < code.text.functions.size(); ++f)
    if (const ir::Function& other = code.text.functions[ir::FunctionId{f}];
        code.text.text(other.qualified_name) == name)
      return index.key(code.module, ir::FunctionId{f});
  return {};
}

FunctionKey function_named(const ProjectIndex& index, const FunctionCode& code, ir::ExprId e) {
  if (!e.valid()) return {};
  const ir::Expr& expr = code.ir.exprs[e];
  if (expr.kind == ir::ExprKind::Function) return index.key(code.module, expr.function());
  if (expr.kind == ir::ExprKind::Name)
    if (const FunctionKey inner = function_within(index, code, code.text.text(expr.symbol)); inner.valid())
      return inner;
  const ClassKey owner = index.functions()[code.key].owner;
  if (expr.kind == ir::ExprKind::Attribute && owner.valid() && !code.ir.parameters.empty()) {
    const ir::Expr& base = code.ir.exprs[ir::children(code.ir, e)[0]];
    if (base.kind == ir::ExprKind::Name && base.symbol == code.ir.parameters[0].name)
      return index.find_method(owner, index.name(code.module, expr.symbol));
  }
  const Entity entity = index.resolve(code.module, code.ir, e);
  return entity.kind == Entity::Kind::Function ? entity.function : FunctionKey{};
}

}  // namespace ranklint
