#include "analyzer/project/live_code.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "analyzer/program/run_programs.h"
#include "analyzer/program/test_files.h"
#include "analyzer/program/used_names.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/callee_role.h"

namespace ranklint {
namespace {

// The folder of a package that the file describes. `name.dist-info/METADATA` lies beside the package.
std::string_view folder_described_by(std::string_view path) {
  const std::string_view folder = folder_of(path);
  return folder.ends_with(".dist-info/") ? folder_of(folder.substr(0, folder.size() - 1)) : folder;
}

// The name of a method that Python calls by itself.
bool is_special(std::string_view name) { return name.starts_with("__") && name.ends_with("__"); }

}  // namespace

class LiveCode::Search {
 public:
  explicit Search(const Program& program)
      : program_(program), index_(program.index()), roles_(program.models().roles()) {
    find_packages();
    each_function([&](FunctionKey f) {
      if (is_outermost(f)) by_name_[{name_of(f), is_method(f)}].push_back(f);
    });
    each_function([&](FunctionKey f) {
      read(f);
      look_at_calls(f);
    });
  }

  std::set<FunctionKey> run() {
    each_function([&](FunctionKey f) {
      if (is_outermost(f) && (is_called_from_outside(f) || is_for_others(f))) add(f);
    });
    name(at_top_);
    while (!left_.empty()) {
      const FunctionKey f = left_.back();
      left_.pop_back();
      name(reads_[f]);
    }
    return std::move(live_);
  }

 private:
  struct Named {
    Symbol name;
    bool is_method = false;
    ModuleKey of = {};  // whose function it is; invalid: of any file
    friend auto operator<=>(const Named&, const Named&) = default;
  };

  void each_function(const std::function<void(FunctionKey)>& see) const {
    for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index) see(f);
  }

  bool is_outermost(FunctionKey f) const {
    return index_.function(f).kind == ir::FunctionKind::Function && outermost_of(index_, f) == f;
  }
  bool is_method(FunctionKey f) const { return index_.functions()[f].owner.valid(); }
  Symbol name_of(FunctionKey f) const { return index_.name(index_.functions()[f].module, index_.function(f).name); }

  // What a function reads its outermost one reads; what else there is runs with its file.
  void read(FunctionKey f) {
    const FunctionKey outermost = outermost_of(index_, f);
    std::set<Named>& names = is_outermost(outermost) ? reads_[outermost] : at_top_;
    each_name_read(index_, f, [&](Symbol named, ir::ExprId e) {
      if (looks_up_member(f, named, e)) looking_up_.insert(index_.functions()[f].module);
      if (by_name_.contains({named, true}) && index_.function(f).exprs[e].kind != ir::ExprKind::Name)
        names.insert({named, true});
      if (by_name_.contains({named, false})) read_function(f, named, e, names);
    });
    add_imported(f, names);
  }

  // What is imported may be used by another name, and in a function it is not looked up by any.
  void add_imported(FunctionKey f, std::set<Named>& names) const {
    const ir::Function& function = index_.function(f);
    const bool is_file = function.kind == ir::FunctionKind::Module;
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Import || !i.name.valid()) continue;
        const bool is_renamed = i.target.valid() && function.exprs[i.target].symbol != i.name;
        if (!is_file || is_renamed) names.insert({index_.name(index_.functions()[f].module, i.name), false});
      }
  }

  // Of an attribute of a library no function of the project is meant; of another object any may be, as it may hold a
  // file. Where the name of a file's own function, or of a function of a file, is read, those of that file are.
  void read_function(FunctionKey f, Symbol named, ir::ExprId e, std::set<Named>& names) const {
    const ir::Function& function = index_.function(f);
    const ModuleKey module = index_.functions()[f].module;
    const ir::ExprKind kind = function.exprs[e].kind;
    if (kind == ir::ExprKind::Attribute &&
        index_.resolve(module, function, ir::children(function, e)[0]).kind == Entity::Kind::External)
      return;
    const Entity meant = kind == ir::ExprKind::String ? Entity() : index_.resolve(module, function, e);
    const ModuleKey of = meant.kind == Entity::Kind::Function ? index_.functions()[meant.function].module : ModuleKey{};
    const bool is_sure = of == module || kind == ir::ExprKind::Attribute;  // an import may have been tried elsewhere
    names.insert({named, false, is_sure ? of : ModuleKey{}});
  }

  void look_at_calls(FunctionKey f) {
    const ModuleKey module = index_.functions()[f].module;
    const ir::Function& function = index_.function(f);
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call) continue;
        if (role_of(roles_, index_, module, function, i.value, Role::DescribesPackage))
          packages_.push_back(folder_described_by(index_.path(f)));
        const RoleEntry* looks = role_of(roles_, index_, module, function, i.value, Role::LooksUpByText);
        if (looks || computes_name(module, function, i)) looking_up_.insert(module);
        if (looks && !looks->note.empty()) looks_up_anywhere_ = true;
      }
  }

  // `models.__dict__[name]()`, of no library.
  bool looks_up_member(FunctionKey f, Symbol named, ir::ExprId e) const {
    const std::string_view name = index_.names().text(named);
    const ir::Function& function = index_.function(f);
    return is_special(name) && roles_.play(name, Role::LooksUpByText) &&
           function.exprs[e].kind == ir::ExprKind::Attribute &&
           index_.resolve(index_.functions()[f].module, function, ir::children(function, e)[0]).kind !=
               Entity::Kind::External;
  }

  // `getattr(x, "do_" + name)`
  bool computes_name(ModuleKey module, const ir::Function& function, const ir::Instruction& call) const {
    const auto given = ir::arguments(function, call);
    return given.size() > 1 && is_builtin(foreign_name(index_, module, function, call.value), Builtin::Getattr) &&
           function.exprs[given[1].value].kind != ir::ExprKind::String;
  }

  bool is_called_from_outside(FunctionKey f) const {
    const FunctionInfo& info = index_.functions()[f];
    const ir::Function& function = index_.function(f);
    const bool is_of_foreign_class =
        info.owner.valid() && std::ranges::any_of(index_.linearization(info.owner), [&](ClassKey c) {
          return !index_.classes()[c].external_bases.empty();
        });
    return (is_of_foreign_class && program_.used_names().may_look_up(f)) || may_be_kept(f) ||
           is_special(index_.modules()[info.module].text(function.name));
  }

  // By a decorator, such as one that registers it.
  bool may_be_kept(FunctionKey f) const {
    static constexpr std::array kLeaving{Role::KeepsResult,   Role::MakesStaticMethod,   Role::MakesClassMethod,
                                         Role::MakesProperty, Role::MakesContextManager, Role::TakesGradientsOff};
    const ModuleKey module = index_.functions()[f].module;
    const ir::Function& function = index_.function(f);
    return std::ranges::any_of(function.decorators, [&](ir::ExprId e) {
      if (function.exprs[e].kind == ir::ExprKind::Call) e = ir::children(function, e)[0];
      return std::ranges::none_of(kLeaving,
                                  [&](Role role) { return role_of(roles_, index_, module, function, e, role); });
    });
  }

  bool is_for_others(FunctionKey f) const {
    const ModuleKey module = index_.functions()[f].module;
    const std::string_view path = index_.path(f);
    const std::vector<ModuleKey>& importers = program_.sharding().importers_of(module);
    if ((importers.empty() && !is_run_as_program(index_.modules()[module])) || is_test_file(path)) return true;
    if (is_of_whole_package(path)) return true;
    const auto looks_up = [&](ModuleKey m) { return looking_up_.contains(m); };
    return looks_up_anywhere_ || looks_up(module) || std::ranges::any_of(importers, looks_up) ||
           std::ranges::any_of(packages_, [&](std::string_view folder) { return path.starts_with(folder); });
  }

  // Whether it is part of a package of which nothing outside of it imports anything: only others can use that.
  bool is_of_whole_package(std::string_view path) const {
    const std::optional<std::string_view> package = package_of(path);
    return package && !used_packages_.contains(*package);
  }

  // The outermost of the folders around the file that are packages, each in the next one; "" is that of all files.
  std::optional<std::string_view> package_of(std::string_view path) const {
    std::optional<std::string_view> outermost;
    for (std::string_view folder = folder_of(path); inits_.contains(folder);
         folder = folder_of(folder.substr(0, folder.size() - 1))) {
      outermost = folder;
      if (folder.empty()) break;
    }
    return outermost;
  }

  void find_packages() {
    const auto& modules = index_.modules();
    const std::string init = std::string(ranklint::name_of(Builtin::Init)) + ".py";
    for (const ir::Module& module : modules)
      if (module.path.substr(folder_of(module.path).size()) == init) inits_.insert(folder_of(module.path));
    for (ModuleKey m{0}; m.index < modules.size(); ++m.index) {
      const std::optional<std::string_view> package = package_of(modules[m].path);
      const auto is_outside = [&](ModuleKey importer) {
        const std::string_view path = modules[importer].path;
        return !is_test_file(path) && !path.starts_with(*package);
      };
      if (package && std::ranges::any_of(program_.sharding().importers_of(m), is_outside))
        used_packages_.insert(*package);
    }
  }

  void add(FunctionKey f) {
    if (live_.insert(f).second) left_.push_back(f);
  }

  void name(const std::set<Named>& names) {
    for (const Named& named : names)
      if (const auto functions = by_name_.find({named.name, named.is_method}); functions != by_name_.end())
        for (const FunctionKey f : functions->second)
          if (!named.of.valid() || named.of == index_.functions()[f].module) add(f);
  }

  const Program& program_;
  const ProjectIndex& index_;
  const Roles& roles_;
  std::vector<std::string_view> packages_;    // folders of those that can be installed
  std::set<std::string_view> inits_;          // folders that are packages, of the files
  std::set<std::string_view> used_packages_;  // of them those that a file outside imports
  std::set<ModuleKey> looking_up_;            // files that look names up, which may be those of what they import
  bool looks_up_anywhere_ = false;            // or those of any file
  std::map<Named, std::vector<FunctionKey>> by_name_;
  std::map<FunctionKey, std::set<Named>> reads_;
  std::set<Named> at_top_;
  std::set<FunctionKey> live_;
  std::vector<FunctionKey> left_;  // of the live ones, those whose names were not looked at
};

LiveCode::LiveCode(const Program& program)
    : program_(program), seen_(program.index().functions().size()), live_(Search(program).run()) {}

bool LiveCode::reaches(FunctionKey f) const {
  const ProjectIndex& index = program_.index();
  const FunctionKey outermost = outermost_of(index, program_.original_of(f));
  const bool is_python = index.modules()[index.functions()[outermost].module].has(ir::Convention::DeclaresNoTypes);
  if (!is_python || index.function(outermost).kind != ir::FunctionKind::Function) return true;
  const bool is_just_written = outermost.index >= seen_;
  return is_just_written || live_.contains(outermost);
}

}  // namespace ranklint
