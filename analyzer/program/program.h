// What the text of a project says of its functions, classes and names, independent of what runs.
//
// It is read once and does not change while functions are run or checked, so any number of threads may use it. Only a
// session adds to it, between two checks: the module of an edited file (ProjectIndex::add_overlay).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/base/ids.h"
#include "analyzer/program/function_range.h"
#include "analyzer/program/handed.h"
#include "analyzer/program/kept_callees.h"
#include "analyzer/program/library_versions.h"
#include "analyzer/program/other_threads.h"
#include "analyzer/program/set_ups.h"
#include "analyzer/program/sharding.h"

namespace ranklint {

// What a function's decorators, or its name, make of it.
struct FunctionFlags {
  bool is_property = false, is_classmethod = false, is_static = false, is_context_manager = false;
  bool is_abstract = false;
};

// What `self.name: T` or `name: T` in a class body says: the function that it stands in, and `T`.
using AnnotationSite = std::pair<FunctionKey, ir::ExprId>;

class Program {
 public:
  Program(const ProjectIndex& index, const Models& models);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const ProjectIndex& index() const { return index_; }
  const Models& models() const { return models_; }
  const HandedTypes& handed() const { return handed_; }
  // What is put into tables and lists, and called out of them.
  const KeptCallees& kept_callees() const { return *kept_callees_; }
  // What threads touch; read when it is asked for first, by one thread.
  const OtherThreads& other_threads() const;

  // What the project uses, by names alone.
  const UsedNames& used_names() const { return used_names_; }
  // Which files are part of a program that may shard models.
  const ShardingMentions& sharding() const { return sharding_; }
  // Under which options the programs set up their ranks.
  const SetUps& set_ups() const { return set_ups_; }
  // Whether processes are started with the function and told their number among those of their machine there.
  bool is_numbered(FunctionKey f, uint32_t parameter) const;
  // The functions that have such parameters, and which.
  const std::map<FunctionKey, std::vector<uint32_t>>& numbered_parameters() const { return numbered_parameters_; }
  // Which versions of its libraries the project is written for.
  const LibraryVersions& library_versions() const { return library_versions_; }

  const FunctionFlags& flags(FunctionKey f) const { return flags_[f]; }
  // Whether objects of the class live in processes of their own, or those of a class derived from it.
  bool is_actor(ClassKey c) const { return actors_.contains(c); }
  // Whether some file imports the package, or something of it.
  bool imports(std::string_view package) const { return imported_.contains(package); }
  // Whether an attribute of this name is assigned to some object somewhere.
  bool is_changed(Symbol attribute) const { return changed_attributes_.contains(attribute); }
  // Of an object other than the one whose method does so.
  bool is_changed_from_outside(Symbol attribute) const { return changed_from_outside_.contains(attribute); }
  std::span<const AnnotationSite> annotations(ClassKey c, Symbol attribute) const;
  // Where functions that declare the name `global` give it a value.
  std::span<const AttributeSite> global_assignments(ModuleKey module, Symbol name) const;

  // What a module's own code assigns to the name, where it does so in one place only. Invalid: there are several, or
  // none.
  ir::ExprId assigned_once(ModuleKey module, Symbol name) const;

  // The index has an overlay, its last module, another state of `original`. Calls of a function of `original` enter the
  // overlay's of the same name from now on, where it is `to_check`; each of the overlay's other functions has a twin of
  // the same name and code in `original`, which is called in its place.
  void take_overlay(ModuleKey original, const FunctionRange& to_check);
  // The function that is called instead of this one; this one if none is.
  FunctionKey called_for(FunctionKey f) const;
  // The function that an overlay's stands for; itself otherwise.
  FunctionKey original_of(FunctionKey f) const;

 private:
  using TwoNumbers = std::pair<uint32_t, uint32_t>;

  void take_module(ModuleKey module);
  void find_flags(ModuleKey module);
  void find_actors(ModuleKey module);
  void find_imported(ModuleKey m);
  void find_changed_attributes(ModuleKey module);
  void find_annotations(ModuleKey module);
  void find_global_assignments(ModuleKey module);
  ModuleKey definition_of_global(ModuleKey module, Symbol name) const;
  void find_assigned_once(ModuleKey module);
  FunctionFlags flags_of(FunctionKey f) const;

  const ProjectIndex& index_;
  const Models& models_;
  HandedTypes handed_;
  UsedNames used_names_;
  ShardingMentions sharding_;
  std::unique_ptr<const KeptCallees> kept_callees_;
  SetUps set_ups_;
  std::map<FunctionKey, std::vector<uint32_t>> numbered_parameters_;
  LibraryVersions library_versions_;
  mutable std::unique_ptr<const OtherThreads> other_threads_;
  IdVector<FunctionKey, FunctionFlags> flags_;
  std::set<ClassKey> actors_;
  std::set<std::string, std::less<>> imported_;
  std::set<Symbol> changed_attributes_;
  std::set<Symbol> changed_from_outside_;
  std::map<TwoNumbers, std::vector<AnnotationSite>> annotations_;                  // by class and name
  std::map<TwoNumbers, std::vector<AttributeSite>> global_assignments_;            // by module and name
  IdVector<ModuleKey, std::vector<std::pair<Symbol, ir::ExprId>>> assigned_once_;  // sorted by name
  std::vector<ModuleKey> overlays_;
  std::unordered_map<uint32_t, FunctionKey> replacement_of_;  // by the function that is replaced
  std::unordered_map<uint32_t, FunctionKey> originals_;       // of functions of the last overlay
};

}  // namespace ranklint
