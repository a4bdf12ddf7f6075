#include "analyzer/project/live_code.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/program/run_programs.h"
#include "analyzer/program/test_files.h"
#include "analyzer/program/used_names.h"
#include "analyzer/resolve/callee_role.h"

namespace ranklint {
namespace {

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

bool is_special(std::string_view name) { return name.starts_with("__") && name.ends_with("__"); }

}  // namespace

class LiveCode::Search {
 public:
  explicit Search(const Program& program)
      : program_(program), index_(program.index()), roles_(program.models().roles()) {
    for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index) {
      read(f);
      look_at_calls(f);
    }
  }

  std::set<FunctionKey> run() {
    for (const auto& [f, _] : reads_)
      if (is_called_from_outside(f) || is_for_others(f)) add(f);
    name(at_top_);
    while (!left_.empty()) {
      const FunctionKey f = left_.back();
      left_.pop_back();
      name(reads_[f]);
    }
    return std::move(live_);
  }

 private:
  // What a function reads its outermost one reads; what else there is runs with its file.
  void read(FunctionKey f) {
    const FunctionKey outermost = outermost_of(index_, f);
    const bool is_function = index_.function(outermost).kind == ir::FunctionKind::Function;
    if (is_function && outermost == f)
      unnamed_[index_.name(index_.functions()[f].module, index_.function(f).name)].push_back(f);
    std::set<Symbol>& names = is_function ? reads_[outermost] : at_top_;
    each_name_read(index_, f, [&](Symbol named, bool) { names.insert(named); });
  }

  void look_at_calls(FunctionKey f) {
    const ModuleKey module = index_.functions()[f].module;
    const ir::Function& function = index_.function(f);
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call) continue;
        if (role_of(roles_, index_, module, function, i.value, Role::DescribesPackage))
          packages_.push_back(folder_of(index_.path(f)));
        const RoleEntry* looks = role_of(roles_, index_, module, function, i.value, Role::LooksUpByText);
        if (looks) looking_up_.insert(module);
        if (looks && !looks->note.empty()) looks_up_anywhere_ = true;
      }
  }

  bool is_called_from_outside(FunctionKey f) const {
    const FunctionInfo& info = index_.functions()[f];
    const ir::Function& function = index_.function(f);
    const bool is_of_foreign_class =
        info.owner.valid() && std::ranges::any_of(index_.linearization(info.owner), [&](ClassKey c) {
          return !index_.classes()[c].external_bases.empty();
        });
    return is_of_foreign_class || !function.decorators.empty() ||
           is_special(index_.modules()[info.module].text(function.name));
  }

  bool is_for_others(FunctionKey f) const {
    const ModuleKey module = index_.functions()[f].module;
    const std::string_view path = index_.path(f);
    const std::vector<ModuleKey>& importers = program_.sharding().importers_of(module);
    if ((importers.empty() && !is_run_as_program(index_.modules()[module])) || is_test_file(path)) return true;
    const auto looks_up = [&](ModuleKey m) { return looking_up_.contains(m); };
    return looks_up_anywhere_ || looks_up(module) || std::ranges::any_of(importers, looks_up) ||
           std::ranges::any_of(packages_, [&](std::string_view folder) { return path.starts_with(folder); });
  }

  void add(FunctionKey f) {
    if (live_.insert(f).second) left_.push_back(f);
  }

  void name(const std::set<Symbol>& names) {
    for (const Symbol named : names)
      if (const auto functions = unnamed_.extract(named))
        std::ranges::for_each(functions.mapped(), [&](FunctionKey f) { add(f); });
  }

  const Program& program_;
  const ProjectIndex& index_;
  const Roles& roles_;
  std::vector<std::string_view> packages_;  // their folders
  std::set<ModuleKey> looking_up_;          // files that look names up, which may be those of what they import
  bool looks_up_anywhere_ = false;          // or those of any file
  std::map<Symbol, std::vector<FunctionKey>> unnamed_;  // by the name that nothing has read yet
  std::map<FunctionKey, std::set<Symbol>> reads_;
  std::set<Symbol> at_top_;
  std::set<FunctionKey> live_;
  std::vector<FunctionKey> left_;  // of the live ones, those whose names were not looked at
};

bool LiveCode::reaches(FunctionKey f) const {
  const ProjectIndex& index = program_.index();
  const FunctionKey outermost = outermost_of(index, program_.original_of(f));
  const bool is_python = index.modules()[index.functions()[outermost].module].has(ir::Convention::DeclaresNoTypes);
  if (!is_python || index.function(outermost).kind != ir::FunctionKind::Function) return true;
  std::call_once(once_, [&] { live_ = Search(program_).run(); });
  return live_.contains(outermost);
}

}  // namespace ranklint
