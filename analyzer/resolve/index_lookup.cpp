// What a name means: definitions and imports of a module, re-exports, the members of what a name stands for.
#include "analyzer/base/nearest.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/source_tree.h"

namespace ranklint {
namespace {

constexpr int kDeepestReexport = 12;

// Of searches that begin one within the other, the one that found the set empty leaves it so.
template <typename Set>
class OutermostClears {
 public:
  explicit OutermostClears(Set& set) : set_(set), is_outermost_(set.empty()) {}
  ~OutermostClears() {
    if (is_outermost_) set_.clear();
  }
  OutermostClears(const OutermostClears&) = delete;
  OutermostClears& operator=(const OutermostClears&) = delete;

 private:
  Set& set_;
  const bool is_outermost_;
};

}  // namespace

// Invalid: none of the project.
ModuleKey ProjectIndex::imported_module(ModuleKey module, uint32_t level, std::string_view dotted) const {
  return level > 0 ? tables_->tree->relative(module, level, dotted)
                   : tables_->tree->absolute(module, dotted, ImportReach::Everywhere);
}

// `from dotted import name`, where the name is a module. A folder without an `__init__.py` is a package too where it
// lies around the importing file; elsewhere, or named as a library is, it says nothing of what is installed.
ModuleKey ProjectIndex::imported_submodule(ModuleKey module, uint32_t level, std::string_view dotted,
                                           std::string_view name) const {
  const SourceTree& tree = *tables_->tree;
  if (const ModuleKey package = imported_module(module, level, dotted); package.valid())
    return tree.submodule(package, name);
  const std::string inner = std::string(dotted) + (dotted.empty() ? "" : ".") + std::string(name);
  return level > 0 ? tree.relative(module, level, inner) : tree.absolute(module, inner, ImportReach::Around);
}

Entity ProjectIndex::import(ModuleKey module, uint32_t level, std::string_view dotted, std::string_view name,
                            int depth) const {
  std::string full(dotted);
  if (level > 0) {
    std::string package = tables_->modules[module].name;
    for (uint32_t up = tables_->tree->is_package(module) ? 1 : 0; up < level; ++up) {
      const size_t dot = package.rfind('.');
      package = dot == std::string::npos ? "" : package.substr(0, dot);
    }
    full = package + (package.empty() || dotted.empty() ? "" : ".") + full;
  }
  const ModuleKey found = imported_module(module, level, dotted);
  if (name.empty()) {
    if (found.valid()) return {.kind = Entity::Kind::Module, .module = found};
    return {.kind = Entity::Kind::External, .name = names_.intern(full)};
  }
  if (found.valid()) {
    const Symbol symbol = names_.find(name);
    if (symbol.valid() && depth < kDeepestReexport)
      if (Entity entity = lookup(found, symbol, depth + 1); entity.kind != Entity::Kind::Nothing) return entity;
  }
  const std::string inner = full.empty() ? std::string(name) : full + "." + std::string(name);
  if (const ModuleKey sub = imported_submodule(module, level, dotted, name); sub.valid())
    return {.kind = Entity::Kind::Module, .module = sub};
  return {.kind = Entity::Kind::External, .name = names_.intern(inner)};
}

// Which files make up a program is not known. If several files define the function, the calling file's own definition
// counts first, then the one in the nearest folder. If two are equally near, it is not known which is meant.
Entity ProjectIndex::lookup_shared(ModuleKey module, Symbol name) const {
  const auto found = tables_->shared.find(name.index);
  if (found == tables_->shared.end()) return {};
  const std::vector<Entity>& entities = found->second;
  if (entities.front().kind != Entity::Kind::Function) return entities.front();
  const auto own = std::ranges::find(entities, module, &Entity::module);
  if (own != entities.end()) return *own;
  const std::string& from = tables_->modules[module].path;
  const Entity* nearest = only_nearest(
      entities, [&](const Entity& entity) { return common_folders(tables_->modules[entity.module].path, from); });
  return nearest ? *nearest : Entity{};
}

Entity ProjectIndex::lookup(ModuleKey module, Symbol name, int depth) const {
  if (depth > kDeepestReexport) return {};
  if (tables_->modules[module].has(ir::Convention::OneNamespace))
    if (const Entity shared = lookup_shared(module, name); shared.kind != Entity::Kind::Nothing) return shared;
  const auto bindings = std::ranges::equal_range(tables_->bindings[module.index], name, {}, &Binding::name);
  if (!bindings.empty()) {
    // Definitions win over imports (try: import x / except: def x), a later one over an earlier; but not those that
    // only say, on another way, that there is no x.
    const Binding* best = nullptr;
    for (const Binding& b : bindings) {
      const auto gives_way = [](const Binding& stand_in, const Binding& import) {
        return stand_in.only_raises && import.import && stand_in.block != import.block;
      };
      const bool defined = b.kind == Entity::Kind::Function || b.kind == Entity::Kind::Class;
      if (!best || (defined && !gives_way(b, *best)) ||
          (b.import && (best->kind == Entity::Kind::Variable || gives_way(*best, b))))
        best = &b;
    }
    switch (best->kind) {
      case Entity::Kind::Function:
        return {.kind = best->kind, .module = module, .function = key(module, ir::FunctionId{best->index})};
      case Entity::Kind::Class:
        return {.kind = best->kind, .module = module, .klass = key(module, ir::ClassId{best->index})};
      case Entity::Kind::External: {
        const ir::Instruction& i = *best->import;
        const ir::Module& ir = tables_->modules[module];
        std::string_view dotted = ir.text(i.symbol);
        if (!i.name.valid() && !i.binds_leaf) dotted = dotted.substr(0, dotted.find('.'));
        return import(module, i.level, dotted, i.name.valid() ? ir.text(i.name) : std::string_view(), depth);
      }
      default: return {.kind = Entity::Kind::Variable, .module = module, .name = name};
    }
  }
  if (tables_->star_imports[module.index].empty()) return {};
  // Packages that import everything from each other are searched once, not along every way through them.
  const OutermostClears clears(searched_);
  if (!searched_.insert({module.index, name.index}).second) return {};
  for (const ir::Instruction* star : tables_->star_imports[module.index]) {
    charge_work();
    Entity from = import(module, star->level, tables_->modules[module].text(star->symbol), {}, depth + 1);
    if (from.kind == Entity::Kind::Module && from.module != module)
      if (Entity entity = lookup(from.module, name, depth + 1); entity.kind != Entity::Kind::Nothing) return entity;
  }
  return {};
}

Entity ProjectIndex::member(const Entity& entity, Symbol name, int depth) const {
  switch (entity.kind) {
    case Entity::Kind::Module: {
      if (Entity found = lookup(entity.module, name, depth); found.kind != Entity::Kind::Nothing) return found;
      const std::string inner = tables_->modules[entity.module].name + "." + std::string(names_.text(name));
      if (const ModuleKey sub = tables_->tree->submodule(entity.module, names_.text(name)); sub.valid())
        return {.kind = Entity::Kind::Module, .module = sub};
      return {.kind = Entity::Kind::External, .name = names_.intern(inner)};
    }
    case Entity::Kind::External: {
      const std::string inner = std::string(names_.text(entity.name)) + "." + std::string(names_.text(name));
      // `import torch.distributed` binds `torch`; a project's own `a.b` after `import a.b` likewise.
      return {.kind = Entity::Kind::External, .name = names_.intern(inner)};
    }
    case Entity::Kind::Class: {
      if (FunctionKey method = find_method(entity.klass, name); method.valid())
        return {.kind = Entity::Kind::Function, .module = entity.module, .function = method};
      return {};
    }
    default: return {};
  }
}

std::string ProjectIndex::dotted(ModuleKey module, const ir::Function& f, ir::ExprId e) const {
  std::string text;
  while (e.valid()) {
    const ir::Expr& expr = f.exprs[e];
    const std::string part(tables_->modules[module].text(expr.symbol));
    text = text.empty() ? part : part + "." + text;
    if (expr.kind == ir::ExprKind::Name) return text;
    if (expr.kind != ir::ExprKind::Attribute) return {};
    e = ir::children(f, e)[0];
  }
  return {};
}

Entity ProjectIndex::resolve(ModuleKey module, const ir::Function& f, ir::ExprId e) const {
  const ir::Expr& expr = f.exprs[e];
  switch (expr.kind) {
    case ir::ExprKind::Name: return lookup(module, name(module, expr.symbol));
    case ir::ExprKind::Attribute: {
      Entity base = resolve(module, f, ir::children(f, e)[0]);
      return base.kind == Entity::Kind::Nothing ? Entity{} : member(base, name(module, expr.symbol));
    }
    case ir::ExprKind::Subscript: return resolve(module, f, ir::children(f, e)[0]);  // Generic[T]
    case ir::ExprKind::Class:
      return {.kind = Entity::Kind::Class, .module = module, .klass = key(module, expr.class_())};
    default: return {};
  }
}

}  // namespace ranklint
