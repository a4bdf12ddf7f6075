#include "analyzer/program/mentions.h"

#include <algorithm>

#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {

Mentions::Mentions(const ProjectIndex& index, const Models& models) : index_(index), models_(models) {
  for (FunctionKey f{0}; f.index < index.functions().size(); ++f.index) {
    const FunctionInfo& info = index.functions()[f];
    if (info.parent.valid())
      nested_[{info.parent, index.function(f).name}] = f;
    else if (!info.owner.valid())
      of_files_.emplace_back(index.name(info.module, index.function(f).name), f);
  }
  std::ranges::sort(of_files_);
}

// What a name means in a function or in one around it.
FunctionKey Mentions::nested(FunctionKey within, Symbol name) const {
  for (FunctionKey around = within; around.valid(); around = index_.functions()[around].parent)
    if (const auto found = nested_.find({around, name}); found != nested_.end()) return found->second;
  return {};
}

std::vector<FunctionKey> Mentions::functions_meant(FunctionKey within, ir::ExprId e) const {
  const ir::Function& f = index_.function(within);
  const ir::Expr& expr = f.exprs[e];
  if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) return {};
  const ModuleKey module = index_.functions()[within].module;
  if (expr.kind == ir::ExprKind::Name)
    if (const FunctionKey inner = nested(within, expr.symbol); inner.valid()) return {inner};
  const Entity entity = index_.resolve(module, f, e);
  if (entity.kind == Entity::Kind::Function) return {entity.function};
  if (entity.kind != Entity::Kind::Nothing || expr.kind == ir::ExprKind::Name) return {};
  return index_.methods_named(index_.name(module, expr.symbol));
}

void Mentions::find(const std::set<Mention>& left_out) {
  const auto count = static_cast<uint32_t>(index_.functions().size());
  by_.resize(count);
  for (FunctionKey g{0}; g.index < count; ++g.index) find_in(g, left_out);
  from_outside_.resize(count);
  for (FunctionKey f{0}; f.index < count; ++f.index) {
    const FunctionInfo& info = index_.functions()[f];
    const ir::FunctionKind kind = index_.function(f).kind;
    const bool runs_in_place = kind == ir::FunctionKind::Lambda || kind == ir::FunctionKind::Comprehension;
    if (runs_in_place && info.parent.valid()) by_[f].push_back(info.parent);  // in a class body there is none
    if (info.owner.valid() && (by_[f].empty() || may_be_called_by_libraries(f)))
      by_[f].insert(by_[f].end(), users_[info.owner].begin(), users_[info.owner].end());
    std::ranges::sort(by_[f]);
    by_[f].erase(std::ranges::unique(by_[f]).begin(), by_[f].end());
    from_outside_[f.index] =
        kind == ir::FunctionKind::Module || kind == ir::FunctionKind::ClassBody || has_unknown_decorator(f);
  }
}

void Mentions::find_in(FunctionKey g, const std::set<Mention>& left_out) {
  const ir::Function& f = index_.function(g);
  const ModuleKey module = index_.functions()[g].module;
  const ir::Module& text = index_.modules()[module];
  for (const ir::Block& block : f.blocks) {
    for (const ir::Instruction& i : block.instructions) {
      if (i.kind == ir::InstructionKind::Import) {
        // What a file imports is found where it is used; what a function imports has no name outside of it.
        if (f.kind != ir::FunctionKind::Module)
          mention(g, index_.import(module, i.level, text.text(i.symbol),
                                   i.name.valid() ? text.text(i.name) : std::string_view()));
        continue;
      }
      visit(g, i.value);
      visit_target(g, i.target);
      for (const ir::Argument& a : ir::arguments(f, i))
        if (!left_out.contains({g, a.value})) visit(g, a.value);
    }
    visit(g, block.terminator.value);
    visit_target(g, block.terminator.target);
  }
}

void Mentions::visit(FunctionKey g, ir::ExprId e) {
  if (!e.valid()) return;
  mention(g, e);
  for (const ir::ExprId part : ir::children(index_.function(g), e)) visit(g, part);
}

// What is given a value is not mentioned; the object that it is a part of is.
void Mentions::visit_target(FunctionKey g, ir::ExprId e) {
  if (!e.valid()) return;
  const ir::Function& f = index_.function(g);
  const ir::ExprKind kind = f.exprs[e].kind;
  const bool is_part = kind == ir::ExprKind::Attribute || kind == ir::ExprKind::Subscript;
  for (const ir::ExprId part : ir::children(f, e)) is_part ? visit(g, part) : visit_target(g, part);
}

void Mentions::mention(FunctionKey g, ir::ExprId e) {
  const ir::ExprKind kind = index_.function(g).exprs[e].kind;
  if (kind != ir::ExprKind::Name && kind != ir::ExprKind::Attribute) return;  // where it is defined, among others
  for (const FunctionKey meant : functions_meant(g, e)) by_[meant].push_back(g);
  const Entity entity = index_.resolve(index_.functions()[g].module, index_.function(g), e);
  if (entity.kind != Entity::Kind::Function) mention(g, entity);
}

void Mentions::mention(FunctionKey g, const Entity& entity) {
  switch (entity.kind) {
    case Entity::Kind::Function: by_[entity.function].push_back(g); break;
    case Entity::Kind::Class:
      for (const ClassKey c : index_.linearization(entity.klass)) users_[c].push_back(g);
      break;
    // Perhaps of a file that is not found under this name.
    case Entity::Kind::External:
      for (const auto& [name, named] :
           std::ranges::equal_range(of_files_, index_.intern(last_part(index_.names().text(entity.name))), {},
                                    &std::pair<Symbol, FunctionKey>::first))
        by_[named].push_back(g);
      break;
    case Entity::Kind::Module:
    case Entity::Kind::Variable:
    case Entity::Kind::Nothing: break;
  }
}

// `__init__`, and all that a class that the project derives its own from may call.
bool Mentions::may_be_called_by_libraries(FunctionKey method) const {
  const ClassKey owner = index_.functions()[method].owner;
  const ir::Module& text = index_.modules()[index_.functions()[method].module];
  return text.text(index_.function(method).name).starts_with("__") ||
         std::ranges::any_of(index_.linearization(owner),
                             [&](ClassKey c) { return !index_.classes()[c].external_bases.empty(); });
}

// One that is known to leave the function what it is counts as none.
bool Mentions::has_unknown_decorator(FunctionKey f) const {
  const ir::Function& function = index_.function(f);
  const ModuleKey module = index_.functions()[f].module;
  return std::ranges::any_of(function.decorators, [&](ir::ExprId e) {
    if (function.exprs[e].kind == ir::ExprKind::Call) e = ir::children(function, e)[0];
    return !role_of(models_.roles(), index_, module, function, e, Role::TakesGradientsOff);
  });
}

}  // namespace ranklint
