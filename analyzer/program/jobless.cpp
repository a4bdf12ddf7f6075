#include "analyzer/program/jobless.h"

#include <algorithm>

#include "analyzer/program/run_programs.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
JoblessPrograms::JoblessPrograms(const Program& program) : program_(program), index_(program.index()) {
  find_words();
  for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index)
    if (index_.modules()[index_.functions()[f].module].has(ir::Convention::DeclaresNoTypes)) find_calls(f);
  if (set_ups_.empty() || questions_.empty()) return;
  const RankLibraries libraries(program_);
  for (ModuleKey m{0}; m.index < index_.modules().size(); ++m.index)
    if (program_.sharding().importers_of(m).empty() && is_run_as_program(index_.modules()[m])) check(m, libraries);
  mentions_.clear();
}

void JoblessPrograms::find_words() {
  for (const Model& model : program_.models().all()) {
    if (model.kind == ModelKind::Setup || model.kind == ModelKind::Initialized) words_.emplace(last_part(model.name));
    if (model.kind == ModelKind::Setup && last_part(model.name) == model.op) known_alone_.emplace(model.op);
  }
  for (const std::string& name : program_.models().roles().names_in(Role::TakesTimeout))
    words_.emplace(last_part(name));
}

void JoblessPrograms::find_calls(FunctionKey key) {
  const ir::Function& f = index_.function(key);
  const ModuleKey module = index_.functions()[key].module;
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.instructions) {
      if (i.kind != ir::InstructionKind::Call || !ir::is_dotted(f, i.value)) continue;
      const std::string_view word = index_.modules()[module].text(f.exprs[i.value].symbol);
      if (!words_.contains(word)) continue;
      const Entity entity = index_.resolve(module, f, i.value);
      if (entity.kind == Entity::Kind::Function || entity.kind == Entity::Kind::Class) continue;
      const std::string name = entity.kind == Entity::Kind::External ? std::string(index_.names().text(entity.name))
                                                                     : index_.dotted(module, f, i.value);
      const Model* model = program_.models().find(name);
      const RoleEntry* makes = program_.models().roles().find(name, Role::TakesTimeout);
      if (model && model->kind == ModelKind::Initialized) questions_.try_emplace(module, Question{key, i.range});
      const bool sets_up = model ? model->kind == ModelKind::Setup : known_alone_.contains(word);
      if (sets_up || (makes && !makes->note.empty())) set_ups_.push_back(key);
    }
}

void JoblessPrograms::check(ModuleKey program, const RankLibraries& libraries) {
  const Modules files = program_.sharding().files_below(program);
  if (libraries.are_used_in(files)) return;
  const auto asks = std::ranges::find_if(questions_, [&](const auto& question) { return files[question.first.index]; });
  if (asks != questions_.end() && !comes_to_set_up(files)) jobless_.emplace(program, &asks->second);
}

// Whether the code of one of the files leads to a set-up in one of them.
bool JoblessPrograms::comes_to_set_up(const Modules& files) {
  std::set<FunctionKey> seen;
  std::vector<FunctionKey> left;
  const auto reach = [&](FunctionKey f) {
    if (f.valid() && files[index_.functions()[f].module.index] && seen.insert(f).second) left.push_back(f);
  };
  for (const FunctionKey f : set_ups_) reach(f);
  if (!left.empty()) find_mentions();
  while (!left.empty()) {
    const FunctionKey f = left.back();
    left.pop_back();
    const ir::Function& function = index_.function(f);
    // The code of a file runs, and so may what has a decorator.
    if (function.kind == ir::FunctionKind::Module || !function.decorators.empty()) return true;
    if (function.kind != ir::FunctionKind::Function) reach(index_.functions()[f].parent);
    for (const Symbol name : names_of(f))
      if (const auto by = mentions_.find(name.index); by != mentions_.end())
        for (const FunctionKey g : by->second) reach(g);
  }
  return false;
}

// By which it is called: its own, and its class's, whose object may be handed to what calls it.
std::vector<Symbol> JoblessPrograms::names_of(FunctionKey f) const {
  const FunctionInfo& info = index_.functions()[f];
  std::vector<Symbol> names;
  if (index_.function(f).kind == ir::FunctionKind::Function)
    names.push_back(index_.name(info.module, index_.function(f).name));
  if (!info.owner.valid()) return names;
  const auto add = [&](ClassKey c) { names.push_back(index_.name(index_.classes()[c].module, index_.klass(c).name)); };
  for (const ClassKey c : index_.with_derived(info.owner)) add(c);
  return names;
}

void JoblessPrograms::find_mentions() {
  if (!mentions_.empty()) return;
  for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index)
    mentions_[index_.name(index_.functions()[f].module, index_.function(f).name).index];
  for (ClassKey c{0}; c.index < index_.classes().size(); ++c.index)
    mentions_[index_.name(index_.classes()[c].module, index_.klass(c).name).index];
  for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index)
    if (index_.modules()[index_.functions()[f].module].has(ir::Convention::DeclaresNoTypes)) find_mentions_in(f);
}

void JoblessPrograms::find_mentions_in(FunctionKey key) {
  const ir::Function& f = index_.function(key);
  const ModuleKey module = index_.functions()[key].module;
  const auto note = [&](ir::ExprId e) {
    if (!ir::is_dotted(f, e) || SymbolTable::is_temporary(f.exprs[e].symbol)) return false;
    const auto known = mentions_.find(index_.name(module, f.exprs[e].symbol).index);
    if (known != mentions_.end() && (known->second.empty() || known->second.back() != key))
      known->second.push_back(key);
    return false;
  };
  for (const ir::Block& block : f.blocks) {
    for (const ir::Instruction& i : block.instructions) {
      ir::any_part(f, i.value, note);
      for (const ir::Argument& a : ir::arguments(f, i)) ir::any_part(f, a.value, note);
    }
    ir::any_part(f, block.terminator.value, note);
  }
}

const JoblessPrograms::Question* JoblessPrograms::asked_around(FunctionKey f) const {
  if (jobless_.empty()) return nullptr;
  const Question* asked = nullptr;
  for (const ModuleKey file : files_above(program_, index_.functions()[program_.original_of(f)].module)) {
    if (!program_.sharding().importers_of(file).empty()) continue;
    const auto found = jobless_.find(file);
    if (found == jobless_.end()) return nullptr;
    asked = found->second;
  }
  return asked;
}

}  // namespace ranklint
