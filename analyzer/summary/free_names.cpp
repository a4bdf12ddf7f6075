// Closure variables: names that a nested function uses without binding them and that an enclosing function binds.
#include <set>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint {

void add_names_of(const ProjectIndex& index, FunctionKey f, ir::ExprId target_of_f, std::set<Symbol>& names) {
  const ir::Function& function = index.function(f);
  const ModuleKey module = index.functions()[f].module;
  std::vector<ir::ExprId> work{target_of_f};
  while (!work.empty()) {
    const ir::ExprId target = work.back();
    work.pop_back();
    if (!target.valid()) continue;
    const ir::Expr& e = function.exprs[target];
    if (e.kind == ir::ExprKind::Name && !SymbolTable::is_temporary(e.symbol))
      names.insert(index.name(module, e.symbol));
    if (e.kind != ir::ExprKind::Tuple && e.kind != ir::ExprKind::List && e.kind != ir::ExprKind::Starred) continue;
    const auto parts = ir::children(function, target);
    work.insert(work.end(), parts.begin(), parts.end());
  }
}

std::set<Symbol> bound_names(const ProjectIndex& index, FunctionKey f) {
  const ir::Function& function = index.function(f);
  const ModuleKey module = index.functions()[f].module;
  std::set<Symbol> names;
  for (const ir::Parameter& p : function.parameters) names.insert(index.name(module, p.name));
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& i : block.instructions) add_names_of(index, f, i.target, names);
    add_names_of(index, f, block.terminator.target, names);
  }
  return names;
}

const std::vector<Symbol>& Query::free_names(FunctionKey f) const {
  static const std::vector<Symbol> kNone;
  if (const auto* known = free_names_.find(f.index)) return *known;
  const FunctionInfo& info = index_.functions()[f];
  if (!info.parent.valid() || !asking_.free_names.insert(f).second) return kNone;
  const ir::Function& function = index_.function(f);
  std::set<Symbol> bound = bound_names(index_, f), used, outer;
  for (Symbol s : function.globals) bound.insert(index_.name(info.module, s));
  for (Symbol s : function.nonlocals) bound.erase(index_.name(info.module, s));
  for (const ir::Expr& e : function.exprs) {
    if (e.kind == ir::ExprKind::Name && !SymbolTable::is_temporary(e.symbol))
      used.insert(index_.name(info.module, e.symbol));
    if (e.kind != ir::ExprKind::Function) continue;
    const auto& inner = free_names(index_.key(info.module, e.function()));
    used.insert(inner.begin(), inner.end());
  }
  for (FunctionKey p = info.parent; p.valid(); p = index_.functions()[p].parent) {
    const ir::FunctionKind kind = index_.function(p).kind;
    if (kind == ir::FunctionKind::Module) break;
    if (kind != ir::FunctionKind::ClassBody) outer.merge(bound_names(index_, p));
  }
  std::vector<Symbol> free;
  for (Symbol s : used)
    if (!bound.contains(s) && outer.contains(s)) free.push_back(s);
  asking_.free_names.erase(f);
  return free_names_.set(f.index, std::move(free));
}

}  // namespace ranklint
