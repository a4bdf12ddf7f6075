#include "analyzer/program/used_names.h"

#include <algorithm>
#include <string_view>

#include "analyzer/resolve/callee_role.h"

namespace ranklint {

std::string_view end_of_dotted(std::string_view text) {
  const size_t at = text.find_last_of(".:");
  return at == std::string_view::npos || text.find(' ') != std::string_view::npos ? std::string_view()
                                                                                  : text.substr(at + 1);
}

UsedNames::UsedNames(const ProjectIndex& index, const Models& models) : index_(index), models_(models) {
  for (FunctionKey f{0}; f.index < index.functions().size(); ++f.index) read(f);
}

FunctionKey outermost_of(const ProjectIndex& index, FunctionKey f) {
  while (index.functions()[f].parent.valid() &&
         index.function(index.functions()[f].parent).kind == ir::FunctionKind::Function)
    f = index.functions()[f].parent;
  return f;
}

void each_name_read(const ProjectIndex& index, FunctionKey f, const std::function<void(Symbol, ir::ExprId)>& see) {
  const ir::Function& function = index.function(f);
  const ModuleKey module = index.functions()[f].module;
  const ir::Module& text = index.modules()[module];
  std::vector<bool> is_target(function.exprs.size());
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (i.target.valid()) is_target[i.target.index] = true;
  for (ir::ExprId e{0}; e.index < function.exprs.size(); ++e.index) {
    const ir::Expr& expr = function.exprs[e];
    Symbol named;
    if ((expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute) && !is_target[e.index]) {
      named = index.name(module, expr.symbol);
    } else if (expr.kind == ir::ExprKind::String) {
      const std::string_view end = end_of_dotted(text.text(expr.symbol));
      named = end.empty() ? index.name(module, expr.symbol) : index.names().find(end);
    }
    if (named.valid() && !SymbolTable::is_temporary(named)) see(named, e);
  }
}

// By which others use it: the name of its class, or its own.
Symbol UsedNames::outermost_name(FunctionKey f) const {
  const FunctionInfo& info = index_.functions()[outermost_of(index_, f)];
  return info.owner.valid() ? index_.name(info.module, index_.klass(info.owner).name)
                            : index_.name(info.module, index_.function(outermost_of(index_, f)).name);
}

void UsedNames::read(FunctionKey f) {
  const Symbol own = outermost_name(f);
  const ir::Function& function = index_.function(f);
  const ir::Module& text = index_.modules()[index_.functions()[f].module];
  each_name_read(index_, f, [&](Symbol named, ir::ExprId e) {
    const ir::Expr& expr = function.exprs[e];
    const bool is_bare = expr.kind == ir::ExprKind::String && end_of_dotted(text.text(expr.symbol)).empty();
    if (named == own) return;
    const auto note = [&](std::vector<bool>& names) {
      if (named.index >= names.size()) names.resize(named.index + 1);
      names[named.index] = true;
    };
    note(named_);
    if (!is_bare) note(read_);
  });
}

// By one of its decorators.
bool UsedNames::may_be_kept(ClassKey c) const {
  const ir::Class& klass = index_.klass(c);
  const ModuleKey module = index_.classes()[c].module;
  const ir::Function& scope = index_.modules()[module].functions[klass.scope];
  return std::ranges::any_of(klass.decorators, [&](ir::ExprId e) {
    if (scope.exprs[e].kind == ir::ExprKind::Call) e = ir::children(scope, e)[0];
    return !role_of(models_.roles(), index_, module, scope, e, Role::LeavesClass);
  });
}

bool UsedNames::is_among(const std::vector<bool>& names, FunctionKey f) const {
  const auto has = [&](Symbol name) { return name.index < names.size() && names[name.index]; };
  const FunctionKey outer = outermost_of(index_, f);
  const ir::Function& function = index_.function(outer);
  if (function.kind != ir::FunctionKind::Function || !function.decorators.empty()) return true;
  const ClassKey owner = index_.functions()[outer].owner;
  if (!owner.valid()) return has(outermost_name(f));
  return std::ranges::any_of(index_.with_derived(owner), [&](ClassKey c) {
    return may_be_kept(c) || has(index_.name(index_.classes()[c].module, index_.klass(c).name));
  });
}

}  // namespace ranklint
