#include "analyzer/resolve/index.h"

#include <algorithm>
#include <set>

#include "analyzer/base/among.h"
#include "analyzer/base/nearest.h"
#include "analyzer/ir/quotes.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/resolve/source_tree.h"

namespace ranklint {
namespace {

constexpr int kDeepestReexport = 12;
constexpr size_t kMostSubclasses = 512;

bool ends_with_part(std::string_view dotted, std::string_view tail) {
  if (dotted.size() < tail.size() || dotted.substr(dotted.size() - tail.size()) != tail) return false;
  return dotted.size() == tail.size() || dotted[dotted.size() - tail.size() - 1] == '.';
}

// "pkg/sub/mod.py" -> "pkg.sub.mod"; "pkg/__init__.py" -> "pkg".
std::string dotted_of_path(std::string_view path) {
  if (path.substr(0, 2) == "./") path.remove_prefix(2);
  while (!path.empty() && (path.front() == '/' || path.front() == '.')) path.remove_prefix(1);
  if (const size_t dot = path.rfind('.'); dot != std::string_view::npos && path.find('/', dot) == path.npos)
    path = path.substr(0, dot);
  std::string dotted(path);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  if (dotted == "__init__") return "";
  if (ends_with_part(dotted, "__init__")) dotted.resize(dotted.size() - 9);
  return dotted;
}

}  // namespace

ProjectIndex::ProjectIndex(std::vector<ir::Module> modules) {
  for (ir::Module& module : modules) tables_->modules.push_back(std::move(module));
  tables_->tree = std::make_shared<SourceTree>(tables_->modules);
  name_modules();
  for (uint32_t m = 0; m < tables_->modules.size(); ++m) intern_symbols(ModuleKey{m});
  for (uint32_t m = 0; m < tables_->modules.size(); ++m) index_classes(ModuleKey{m});
  for (const ClassInfo& info : tables_->classes)
    for (ir::FunctionId method : tables_->modules[info.module].classes[info.id].methods)
      tables_->methods_by_name[name(info.module, tables_->modules[info.module].functions[method].name).index].push_back(
          key(info.module, method));
  for (uint32_t m = 0; m < tables_->modules.size(); ++m) bind_names(ModuleKey{m});
  share_names();
  join_classes();
  link_bases(0);
  linearize(0);
  index_attributes(0);
}

// The overlay's classes know those derived from the classes that they stand for, by name, but not the other way round.
ModuleKey ProjectIndex::add_overlay(ir::Module module, ModuleKey original) {
  const auto first_class = static_cast<uint32_t>(tables_->classes.size()),
             first_function = static_cast<uint32_t>(tables_->functions.size());
  module.name = tables_->modules[original].name;
  const ModuleKey overlay = tables_->modules.push_back(std::move(module));
  tables_->tree->add_overlay(original);
  intern_symbols(overlay);
  index_classes(overlay);
  bind_names(overlay);
  link_bases(first_class);
  linearize(first_class);
  index_attributes(first_function);
  for (uint32_t c = first_class; c < tables_->classes.size(); ++c)
    for (uint32_t old = 0; old < tables_->modules[original].classes.size(); ++old) {
      const ClassKey stood = key(original, ir::ClassId{old});
      if (tables_->modules[original].text(klass(stood).qualified_name) !=
          tables_->modules[overlay].text(klass(ClassKey{c}).qualified_name))
        continue;
      for (ClassKey derived : tables_->classes[stood].subclasses)
        if (tables_->classes[derived].module != original) tables_->classes[ClassKey{c}].subclasses.push_back(derived);
    }
  return overlay;
}

ModuleKey ProjectIndex::module_at(std::string_view path) const {
  for (uint32_t m = 0; m < tables_->modules.size(); ++m)
    if (tables_->modules[ModuleKey{m}].path == path) return ModuleKey{m};
  return {};
}

void ProjectIndex::name_modules() {
  for (uint32_t m = 0; m < tables_->modules.size(); ++m) {
    ir::Module& module = tables_->modules[ModuleKey{m}];
    module.name = dotted_of_path(module.path);
    if (module.has(ir::Convention::NotImported)) continue;
    if (tables_->tree->is_package(ModuleKey{m})) tables_->packages.insert(module.name);
  }
}

void ProjectIndex::intern_symbols(ModuleKey module) {
  const SymbolTable& table = tables_->modules[module].symbols;
  std::vector<Symbol>& symbols = tables_->symbols.emplace_back();
  symbols.reserve(table.size());
  for (uint32_t s = 0; s < table.size(); ++s) symbols.push_back(names_.intern(table.text(Symbol{s})));
  names_.add_temporaries_of(table);
}

void ProjectIndex::index_classes(ModuleKey module) {
  const ir::Module& ir = tables_->modules[module];
  tables_->first_function.push_back(static_cast<uint32_t>(tables_->functions.size()));
  tables_->first_class.push_back(static_cast<uint32_t>(tables_->classes.size()));
  for (uint32_t f = 0; f < ir.functions.size(); ++f) {
    const ir::Function& function = ir.functions[ir::FunctionId{f}];
    FunctionInfo info{.module = module, .id = ir::FunctionId{f}, .parent = {}, .owner = {}};
    if (function.parent.valid()) info.parent = key(module, function.parent);
    if (function.owner.valid()) info.owner = key(module, function.owner);
    tables_->functions.push_back(info);
  }
  for (uint32_t c = 0; c < ir.classes.size(); ++c) {
    ClassInfo info{.module = module, .id = ir::ClassId{c}};
    for (ir::FunctionId method : ir.classes[ir::ClassId{c}].methods) {
      const ir::Function& function = ir.functions[method];
      // `@x.setter` and its like redefine a property's name; reading it means the first definition.
      bool accessor = false;
      for (ir::ExprId decorator : function.decorators) {
        const ir::Expr& e = function.exprs[decorator];
        accessor |=
            e.kind == ir::ExprKind::Attribute && (ir.text(e.symbol) == "setter" || ir.text(e.symbol) == "deleter");
      }
      const Symbol name = this->name(module, function.name);
      if (!accessor || !info.methods.contains(name)) info.methods[name] = key(module, method);
    }
    tables_->classes.push_back(std::move(info));
  }
}

void ProjectIndex::bind_names(ModuleKey module) {
  auto& bindings = tables_->bindings.emplace_back();
  auto& star_imports = tables_->star_imports.emplace_back();
  const ir::Module& ir = tables_->modules[module];
  if (ir.functions.empty()) return;
  const ir::Function& top = ir.functions[ir::FunctionId{0}];
  for (const ir::Block& block : top.blocks)
    for (const ir::Instruction& i : block.instructions) {
      if (i.kind == ir::InstructionKind::Import && i.name.valid() && ir.text(i.name) == "*") {
        star_imports.push_back(&i);
        continue;
      }
      if (!i.target.valid() || top.exprs[i.target].kind != ir::ExprKind::Name ||
          SymbolTable::is_temporary(top.exprs[i.target].symbol))
        continue;
      Binding binding;
      if (i.kind == ir::InstructionKind::Import) {
        binding.kind = Entity::Kind::External;
        binding.import = &i;
      } else if (i.kind == ir::InstructionKind::Assign) {
        const ir::Expr& value = top.exprs[i.value];
        if (value.kind == ir::ExprKind::Function) binding.kind = Entity::Kind::Function;
        if (value.kind == ir::ExprKind::Class) binding.kind = Entity::Kind::Class;
        binding.index = value.index;
      }
      bindings[name(module, top.exprs[i.target].symbol).index].push_back(binding);
    }
}

void ProjectIndex::share_names() {
  for (uint32_t m = 0; m < tables_->modules.size(); ++m) {
    const ModuleKey module{m};
    if (!tables_->modules[module].has(ir::Convention::OneNamespace)) continue;
    for (const auto& [symbol, found] : tables_->bindings[m]) {
      if (names_.text(Symbol{symbol}).find('#') != std::string_view::npos) continue;  // internal linkage
      const Binding& b = found.front();
      Entity entity{.kind = b.kind, .module = module, .name = Symbol{symbol}};
      if (b.kind == Entity::Kind::Function) entity.function = key(module, ir::FunctionId{b.index});
      if (b.kind == Entity::Kind::Class) entity.klass = key(module, ir::ClassId{b.index});
      // A function that was met before has lost its body.
      if (b.kind == Entity::Kind::Function && function(entity.function).blocks.empty()) continue;
      tables_->shared[symbol].push_back(entity);
    }
  }
}

// A C++ class is known in every file that defines methods of it: all of them are methods of the first.
void ProjectIndex::join_classes() {
  for (uint32_t c = 0; c < tables_->classes.size(); ++c) {
    const ClassInfo& info = tables_->classes[ClassKey{c}];
    if (!tables_->modules[info.module].has(ir::Convention::OneNamespace)) continue;
    const auto found = tables_->shared.find(name(info.module, klass(ClassKey{c}).qualified_name).index);
    if (found == tables_->shared.end()) continue;
    const Entity& shared = found->second.front();
    if (shared.kind != Entity::Kind::Class || shared.klass == ClassKey{c}) continue;
    ClassInfo& first = tables_->classes[shared.klass];
    for (const auto& [method, function] : info.methods) {
      tables_->functions[function].owner = shared.klass;
      if (!this->function(function).blocks.empty()) first.methods[method] = function;
    }
  }
}

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
  const auto& bindings = tables_->bindings[module.index];
  if (auto found = bindings.find(name.index); found != bindings.end()) {
    // Definitions win over imports (try: import x / except: def x), a later one over an earlier.
    const Binding* best = nullptr;
    for (const Binding& b : found->second) {
      const bool defined = b.kind == Entity::Kind::Function || b.kind == Entity::Kind::Class;
      if (!best || defined || (b.import && best->kind == Entity::Kind::Variable)) best = &b;
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
  if (depth <= 1) searched_.clear();
  if (!searched_.insert({module.index, name.index}).second) return {};
  for (const ir::Instruction* star : tables_->star_imports[module.index]) {
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
      return {.kind = Entity::Kind::Class, .module = module, .klass = key(module, ir::ClassId{expr.index})};
    default: return {};
  }
}

void ProjectIndex::link_bases(uint32_t first_class) {
  const bool of_overlay = first_class != 0;
  // A base may be named through a class (`Outer.Inner`); until all are known each inherits from itself alone.
  for (uint32_t c = first_class; c < tables_->classes.size(); ++c) tables_->linearizations.push_back({ClassKey{c}});
  for (uint32_t c = first_class; c < tables_->classes.size(); ++c) {
    ClassInfo& info = tables_->classes[ClassKey{c}];
    const ir::Class& ir = klass(ClassKey{c});
    const ir::Function& scope = tables_->modules[info.module].functions[ir.scope];
    for (ir::ExprId base : ir.bases) {
      Entity entity = resolve(info.module, scope, base);
      if (entity.kind == Entity::Kind::Class && entity.klass != ClassKey{c}) {
        info.bases.push_back(entity.klass);
        if (!of_overlay || entity.klass.index >= first_class)
          tables_->classes[entity.klass].subclasses.push_back(ClassKey{c});
      } else if (entity.kind == Entity::Kind::External) {
        info.external_bases.push_back(entity.name);
      } else if (std::string text = dotted(info.module, scope, base); !text.empty()) {
        info.external_bases.push_back(names_.intern(text));
      }
    }
  }
}

void ProjectIndex::index_attributes(uint32_t first_function) {
  for (uint32_t f = first_function; f < tables_->functions.size(); ++f) {
    const FunctionKey key{f};
    const FunctionInfo& info = tables_->functions[key];
    const ir::Function& function = this->function(key);
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const ir::Block& block = function.blocks[ir::BlockId{b}];
      for (uint32_t i = 0; i < block.instructions.size(); ++i) {
        std::vector<ir::ExprId> targets{block.instructions[i].target};
        while (!targets.empty()) {
          const ir::ExprId target = targets.back();
          targets.pop_back();
          if (!target.valid()) continue;
          const ir::Expr& e = function.exprs[target];
          if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List)
            for (ir::ExprId part : ir::children(function, target)) targets.push_back(part);
          if (e.kind != ir::ExprKind::Attribute) continue;
          const ir::Expr& base = function.exprs[ir::children(function, target)[0]];
          if (base.kind != ir::ExprKind::Name) continue;
          if (const ClassKey c = class_of_self(key, base.symbol); c.valid())
            tables_->classes[c].attributes[name(info.module, e.symbol)].push_back({key, ir::BlockId{b}, i});
        }
      }
    }
  }
}

ClassKey ProjectIndex::class_of_self(FunctionKey f, Symbol name) const {
  for (; f.valid(); f = tables_->functions[f].parent) {
    const CompactVector<ir::Parameter>& parameters = function(f).parameters;
    if (tables_->functions[f].owner.valid() && !parameters.empty() && parameters[0].name == name)
      return tables_->functions[f].owner;
    for (const ir::Parameter& p : parameters)
      if (p.name == name) return {};
  }
  return {};
}

void ProjectIndex::linearize(uint32_t first_class) {
  for (uint32_t c = first_class; c < tables_->classes.size(); ++c) {
    std::vector<ClassKey>& order = tables_->linearizations[c];
    order.clear();
    std::vector<ClassKey> stack{ClassKey{c}};
    std::set<ClassKey> seen;
    while (!stack.empty() && order.size() < kMostBases) {
      const ClassKey next = stack.back();
      stack.pop_back();
      if (!seen.insert(next).second) continue;
      order.push_back(next);
      const auto& bases = tables_->classes[next].bases;
      stack.insert(stack.end(), bases.rbegin(), bases.rend());
    }
  }
}

FunctionKey ProjectIndex::find_method(ClassKey c, Symbol name) const {
  for (ClassKey base : linearization(c)) {
    const auto& methods = tables_->classes[base].methods;
    if (auto found = methods.find(name); found != methods.end()) return found->second;
  }
  return {};
}

std::vector<FunctionKey> ProjectIndex::find_methods(ClassKey c, Symbol name) const {
  std::vector<FunctionKey> found;
  if (FunctionKey own = find_method(c, name); own.valid()) found.push_back(own);
  for (const ClassKey k : with_derived(c)) {
    const auto& methods = tables_->classes[k].methods;
    if (auto method = methods.find(name); k != c && method != methods.end()) found.push_back(method->second);
  }
  return found;
}

// Classes that derive from each other do not run, and are in a text all the same.
std::vector<ClassKey> ProjectIndex::with_derived(ClassKey c) const {
  std::vector<ClassKey> found, work{c};
  std::set<ClassKey> seen;
  while (!work.empty() && found.size() < kMostSubclasses) {
    const ClassKey next = work.back();
    work.pop_back();
    if (!seen.insert(next).second) continue;
    found.push_back(next);
    work.insert(work.end(), tables_->classes[next].subclasses.rbegin(), tables_->classes[next].subclasses.rend());
  }
  return found;
}

bool ProjectIndex::derives_from(ClassKey c, ClassKey base) const {
  return std::ranges::find(linearization(c), base) != linearization(c).end();
}

bool ProjectIndex::derives_from_external(ClassKey c, std::string_view last_name) const {
  for (ClassKey base : linearization(c))
    for (Symbol external : tables_->classes[base].external_bases)
      if (last_part(names_.text(external)) == last_name) return true;
  return false;
}

const std::vector<FunctionKey>& ProjectIndex::methods_named(Symbol name) const {
  static const std::vector<FunctionKey> kNone;
  auto found = tables_->methods_by_name.find(name.index);
  return found == tables_->methods_by_name.end() ? kNone : found->second;
}

std::string_view ProjectIndex::qualified_name(FunctionKey f) const {
  return tables_->modules[tables_->functions[f].module].text(function(f).qualified_name);
}

const ir::Quote* ProjectIndex::quote(FunctionKey f, const SourceRange& range) const {
  return ir::quote_of(tables_->modules[tables_->functions[f].module], range);
}

// Without the folders of sources, which are no packages.
std::string_view ProjectIndex::import_name(ModuleKey module) const {
  const std::string_view name = tables_->modules[module].name;
  size_t begin = 0;
  for (size_t at = 0, dot; (dot = name.find('.', at)) != name.npos; at = dot + 1)
    if (among(name.substr(at, dot - at), {"src", "python"}) &&
        !tables_->packages.contains(std::string(name.substr(0, dot))))
      begin = dot + 1;
  return name.substr(begin);
}

std::string ProjectIndex::import_name(FunctionKey f) const {
  return std::string(import_name(tables_->functions[f].module)) + "." + std::string(qualified_name(f));
}

std::string ProjectIndex::import_name(ClassKey c) const {
  const ModuleKey module = tables_->classes[c].module;
  return std::string(import_name(module)) + "." + std::string(tables_->modules[module].text(klass(c).qualified_name));
}

}  // namespace ranklint
