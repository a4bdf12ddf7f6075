// The making of the index: modules, their symbols, functions and classes, and what each binds at its top level.
#include "analyzer/resolve/index.h"

#include <algorithm>
#include <utility>

#include "analyzer/base/among.h"
#include "analyzer/ir/quotes.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/source_tree.h"

namespace ranklint {
namespace {

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
  if (is_builtin(dotted, Builtin::Init)) return "";
  if (ends_with_part(dotted, name_of(Builtin::Init))) dotted.resize(dotted.size() - name_of(Builtin::Init).size() - 1);
  return dotted;
}

}  // namespace

ProjectIndex::ProjectIndex(std::vector<ir::Module> modules, const Roles& roles) {
  for (ir::Module& module : modules) tables_->modules.push_back(std::move(module));
  tables_->tree = std::make_shared<SourceTree>(tables_->modules, roles.names_in(Role::InstalledLibrary));
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

// Nothing comes before the raise but the call that makes the exception.
static bool only_raises(const ir::Function& f) {
  if (f.blocks.empty()) return false;
  const ir::Block& body = f.blocks[ir::BlockId{0}];
  if (body.terminator.kind != ir::TerminatorKind::Raise) return false;
  return std::ranges::all_of(body.instructions, [&](const ir::Instruction& i) {
    return i.target.valid() && body.terminator.value.valid() &&
           f.exprs[i.target].symbol == f.exprs[body.terminator.value].symbol;
  });
}

// `rank, size = comm.Get_rank(), comm.Get_size()`: each variable in it.
template <typename Add>
static void add_names_of_pattern(const ir::Function& f, ir::ExprId target, const Add& add) {
  const ir::Expr& e = f.exprs[target];
  if (e.kind == ir::ExprKind::Name && !SymbolTable::is_temporary(e.symbol)) add(e.symbol);
  if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List || e.kind == ir::ExprKind::Starred)
    for (const ir::ExprId part : ir::children(f, target)) add_names_of_pattern(f, part, add);
}

void ProjectIndex::bind_names(ModuleKey module) {
  auto& bindings = tables_->bindings.emplace_back();
  auto& star_imports = tables_->star_imports.emplace_back();
  const ir::Module& ir = tables_->modules[module];
  if (ir.functions.empty()) return;
  const ir::Function& top = ir.functions[ir::FunctionId{0}];
  for (ir::BlockId b{0}; b.index < top.blocks.size(); ++b.index)
    for (const ir::Instruction& i : top.blocks[b].instructions) {
      if (i.kind == ir::InstructionKind::Import && i.name.valid() && ir.text(i.name) == "*") {
        star_imports.push_back(&i);
        continue;
      }
      if (!i.target.valid()) continue;
      if (top.exprs[i.target].kind != ir::ExprKind::Name) {
        add_names_of_pattern(top, i.target,
                             [&](Symbol part) { bindings.push_back({.name = name(module, part), .block = b}); });
        continue;
      }
      if (SymbolTable::is_temporary(top.exprs[i.target].symbol)) continue;
      Binding binding{.name = name(module, top.exprs[i.target].symbol), .block = b};
      if (i.kind == ir::InstructionKind::Import) {
        binding.kind = Entity::Kind::External;
        binding.import = &i;
      } else if (i.kind == ir::InstructionKind::Assign) {
        const ir::Expr& value = top.exprs[i.value];
        if (value.kind == ir::ExprKind::Function) {
          binding.kind = Entity::Kind::Function;
          binding.index = value.function().index;
          binding.only_raises = only_raises(ir.functions[value.function()]);
        } else if (value.kind == ir::ExprKind::Class) {
          binding.kind = Entity::Kind::Class;
          binding.index = value.class_().index;
        }
      }
      bindings.push_back(binding);
    }
  std::ranges::stable_sort(bindings, {}, &Binding::name);
  bindings.shrink_to_fit();
}

void ProjectIndex::share_names() {
  for (uint32_t m = 0; m < tables_->modules.size(); ++m) {
    const ModuleKey module{m};
    if (!tables_->modules[module].has(ir::Convention::OneNamespace)) continue;
    Symbol last;
    for (const Binding& b : tables_->bindings[m]) {
      if (b.name == std::exchange(last, b.name)) continue;                    // the first of a name counts
      if (names_.text(b.name).find('#') != std::string_view::npos) continue;  // internal linkage
      Entity entity{.kind = b.kind, .module = module, .name = b.name};
      if (b.kind == Entity::Kind::Function) entity.function = key(module, ir::FunctionId{b.index});
      if (b.kind == Entity::Kind::Class) entity.klass = key(module, ir::ClassId{b.index});
      // A function that was met before has lost its body.
      if (b.kind == Entity::Kind::Function && function(entity.function).blocks.empty()) continue;
      tables_->shared[b.name.index].push_back(entity);
    }
  }
  share_written_names();
}

// A variable whose definition is not in sight is that of the first file with a function that writes it.
void ProjectIndex::share_written_names() {
  for (uint32_t m = 0; m < tables_->modules.size(); ++m) {
    const ModuleKey module{m};
    if (!tables_->modules[module].has(ir::Convention::OneNamespace)) continue;
    for (const ir::Function& f : tables_->modules[module].functions) {
      if (f.globals.empty()) continue;
      for (const ir::Block& block : f.blocks)
        for (const ir::Instruction& i : block.instructions) {
          if (!i.target.valid() || f.exprs[i.target].kind != ir::ExprKind::Name) continue;
          const Symbol symbol = f.exprs[i.target].symbol;
          if (std::ranges::find(f.globals, symbol) == f.globals.end()) continue;
          const Symbol written = name(module, symbol);
          if (names_.text(written).find('#') != std::string_view::npos) continue;
          tables_->shared.try_emplace(
              written.index, std::vector<Entity>{{.kind = Entity::Kind::Variable, .module = module, .name = written}});
        }
    }
  }
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
