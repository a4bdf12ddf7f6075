// All modules of a project side by side, and what their names mean.
//
// Everything here is syntactic: definitions, imports, re-exports, class members. What depends on values (the
// type of a receiver, the result of a factory) is the interpreter's matter (analyzer/summary, analyzer/interp).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/ir/ir.h"
#include "analyzer/mesh/axes.h"
#include "analyzer/resolve/keys.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

class SourceTree;

// What a dotted name stands for. `name` is a name of the project's table.
struct Entity {
  enum class Kind : uint8_t { Nothing, Module, Function, Class, Variable, External };
  Kind kind = Kind::Nothing;
  ModuleKey module{};  // Module; Variable: the module that owns it
  FunctionKey function{};
  ClassKey klass{};
  Symbol name{};  // External: the qualified name; Variable: its name
};

struct FunctionInfo {
  ModuleKey module;
  ir::FunctionId id;
  FunctionKey parent;  // the enclosing function
  ClassKey owner;
};

// An assignment `self.name = ...` somewhere in a method.
struct AttributeSite {
  FunctionKey function;
  ir::BlockId block;
  uint32_t instruction = 0;
};

struct ClassInfo {
  ModuleKey module;
  ir::ClassId id;
  std::map<Symbol, FunctionKey> methods{};                    // the last definition of each name
  std::map<Symbol, std::vector<AttributeSite>> attributes{};  // instance attributes
  std::vector<ClassKey> bases{};                              // those defined in the project
  std::vector<Symbol> external_bases{};                       // qualified names of the others
  std::vector<ClassKey> subclasses{};
};

class ProjectIndex {
 public:
  // `modules` sorted by path; the index owns them. Of the roles it asks which libraries are installed.
  explicit ProjectIndex(std::vector<ir::Module> modules, const Roles& roles = {});
  // The same project, with a table of names of its own laid over the one below, which must outlive it and must not
  // change meanwhile: each thread asks a view of its own.
  static ProjectIndex over(const ProjectIndex& below) {
    return ProjectIndex(below.tables_, SymbolTable::over(below.names_));
  }

  // Adds another state of a module: its names, functions and classes get keys after all others, and existing keys stay
  // valid. It sees the project; modules already in the index go on seeing `original`, which is not C++.
  ModuleKey add_overlay(ir::Module module, ModuleKey original);
  // The module of a path; invalid: there is none.
  ModuleKey module_at(std::string_view path) const;

  const SymbolTable& names() const { return names_; }
  // A name of the project's table, added when it is new.
  Symbol intern(std::string_view text) const { return names_.intern(text); }
  // The axis that the source or a model calls so.
  Axis axis(std::string_view name) const { return {kind_of_axis(name), intern(name), {}}; }
  Symbol name(ModuleKey module, Symbol symbol) const {
    return symbol.valid() && !SymbolTable::is_temporary(symbol) ? tables_->symbols[module.index][symbol.index] : symbol;
  }

  const IdVector<ModuleKey, ir::Module>& modules() const { return tables_->modules; }
  const IdVector<FunctionKey, FunctionInfo>& functions() const { return tables_->functions; }
  const IdVector<ClassKey, ClassInfo>& classes() const { return tables_->classes; }
  const ir::Function& function(FunctionKey f) const {
    return tables_->modules[tables_->functions[f].module].functions[tables_->functions[f].id];
  }
  const ir::Class& klass(ClassKey c) const {
    return tables_->modules[tables_->classes[c].module].classes[tables_->classes[c].id];
  }
  FunctionKey key(ModuleKey module, ir::FunctionId id) const {
    return FunctionKey{tables_->first_function[module.index] + id.index};
  }
  ClassKey key(ModuleKey module, ir::ClassId id) const {
    return ClassKey{tables_->first_class[module.index] + id.index};
  }
  std::string_view path(FunctionKey f) const { return tables_->modules[tables_->functions[f].module].path; }
  std::string_view qualified_name(FunctionKey f) const;
  // The condition at the range as the source writes it; null: it is not kept.
  const ir::Quote* quote(FunctionKey f, const SourceRange& range) const;
  // By which other projects know it: "accelerate.state.PartialState" of src/accelerate/state.py.
  std::string import_name(FunctionKey f) const;
  std::string import_name(ClassKey c) const;

  // What `name` means at the top level of `module`.
  Entity lookup(ModuleKey module, Symbol name, int depth = 0) const;
  // What `from <level dots><dotted> import <name>` in `module` brings; without a name the module itself.
  Entity import(ModuleKey module, uint32_t level, std::string_view dotted, std::string_view name, int depth = 0) const;
  // `entity.name`, for modules, classes' nested names and external names.
  Entity member(const Entity& entity, Symbol name, int depth = 0) const;

  // The method, property or nested function of this name on the class or its nearest base. Invalid: none.
  FunctionKey find_method(ClassKey c, Symbol name) const;
  // The class of what `name`, a symbol of the function's module, means where it is the object of the method that
  // the function is or lies in: `self`, also in a function within a method.
  ClassKey class_of_self(FunctionKey f, Symbol name) const;
  // The same on `c` and on the classes derived from it, without repetition, nearest first; of very many, some.
  std::vector<FunctionKey> find_methods(ClassKey c, Symbol name) const;
  // The class and its bases in resolution order (left to right, depth first, each once).
  // Of a class with more than kMostBases bases, the rest are left out.
  static constexpr size_t kMostBases = 256;
  const std::vector<ClassKey>& linearization(ClassKey c) const { return tables_->linearizations[c.index]; }
  // The class and those derived from it, each once and each after one that it derives from; of very many, some.
  std::vector<ClassKey> with_derived(ClassKey c) const;
  // Whether it is that class or inherits from it.
  bool derives_from(ClassKey c, ClassKey base) const;
  bool derives_from_external(ClassKey c, std::string_view last_name) const;

  // Every class and function of this bare name, in order of definition.
  const std::vector<FunctionKey>& methods_named(Symbol name) const;
  // The expression as a dotted name ("torch.nn.Module"), empty if it is none.
  std::string dotted(ModuleKey module, const ir::Function& f, ir::ExprId e) const;
  // What an expression of names and attributes means, seen from the top level of a module.
  Entity resolve(ModuleKey module, const ir::Function& f, ir::ExprId e) const;

 private:
  struct Binding {
    Symbol name;
    Entity::Kind kind = Entity::Kind::Variable;
    bool only_raises = false;  // a function that stands in for what could not be imported
    uint32_t index = 0;        // of the function or class
    ir::BlockId block;         // of the file's code
    const ir::Instruction* import = nullptr;
  };
  Entity lookup_shared(ModuleKey module, Symbol name) const;
  // Of all modules.
  void name_modules();
  void share_names();
  void share_written_names();
  void join_classes();
  // Of one.
  void intern_symbols(ModuleKey module);
  void index_classes(ModuleKey module);
  void bind_names(ModuleKey module);
  // Of the classes and functions from these on.
  void link_bases(uint32_t first_class);
  void linearize(uint32_t first_class);
  void index_attributes(uint32_t first_function);
  ModuleKey imported_module(ModuleKey module, uint32_t level, std::string_view dotted) const;
  ModuleKey imported_submodule(ModuleKey module, uint32_t level, std::string_view dotted, std::string_view name) const;
  std::string_view import_name(ModuleKey module) const;

  // What the sources say. Views share it.
  struct Tables {
    IdVector<ModuleKey, ir::Module> modules;
    std::vector<std::vector<Symbol>> symbols;  // per module: its symbols as names of the project
    std::vector<uint32_t> first_function, first_class;
    IdVector<FunctionKey, FunctionInfo> functions;
    IdVector<ClassKey, ClassInfo> classes;
    std::vector<std::vector<ClassKey>> linearizations;  // per class
    std::vector<std::vector<Binding>> bindings;         // per module; by name, those of one name in their order
    std::vector<std::vector<const ir::Instruction*>> star_imports;
    std::shared_ptr<SourceTree> tree;
    // What C++ names in one namespace for the whole program, by name: functions, classes and variables with external
    // linkage, in the order of the files.
    std::unordered_map<uint32_t, std::vector<Entity>> shared;
    std::set<std::string> packages;  // dotted names of folders with an __init__.py
    std::unordered_map<uint32_t, std::vector<FunctionKey>> methods_by_name;
  };
  ProjectIndex(std::shared_ptr<Tables> tables, SymbolTable names)
      : tables_(std::move(tables)), names_(std::move(names)) {}

  std::shared_ptr<Tables> tables_ = std::make_shared<Tables>();
  mutable SymbolTable names_;  // looking a name up may spell a qualified one for the first time
  mutable std::set<std::pair<uint32_t, uint32_t>> searched_;  // modules with star imports that a look-up went through
};

}  // namespace ranklint
