#include "analyzer/program/started_alone.h"

#include <algorithm>

#include "analyzer/program/given_for.h"
#include "analyzer/program/run_programs.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {

StartedAlone::StartedAlone(const Program& program) : program_(program), index_(program.index()) {
  for (ModuleKey m{0}; m.index < index_.modules().size(); ++m.index)
    if (index_.modules()[m].has(ir::Convention::NotImported)) read(m);
  if (alone_.empty() || several_.empty()) return;
  const RankLibraries libraries(program);
  for (const auto& [script, _] : alone_) {
    const std::vector<bool> files = own_files(script);
    bool starts = libraries.are_used_in(files);
    for (uint32_t m = 0; m < files.size() && !starts; ++m) starts = files[m] && may_start_ranks(ModuleKey{m});
    if (starts) start_ranks_.insert(script);
  }
}

void StartedAlone::read(ModuleKey commands) {
  const ir::Module& text = index_.modules()[commands];
  for (uint32_t id = 0; id < text.functions.size(); ++id)
    for (const ir::Block& block : text.functions[ir::FunctionId{id}].blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Call) take(commands, index_.key(commands, ir::FunctionId{id}), i);
}

void StartedAlone::take(ModuleKey commands, FunctionKey within, const ir::Instruction& call) {
  const ir::Function& f = index_.function(within);
  const ir::Module& text = index_.modules()[commands];
  const RoleEntry* role = role_of(program_.models().roles(), index_, commands, f, call.value, Role::StartsScript);
  const ir::ExprId script =
      role ? given_for(f, text, call, role->argument.position, role->argument.keyword) : ir::ExprId{};
  if (!script.valid()) return;
  const std::string_view written = text.text(f.exprs[script].symbol);
  const bool is_alone = ir::arguments(f, call).size() == 1;  // no word of a launcher
  for (ModuleKey m{0}; m.index < index_.modules().size(); ++m.index) {
    const std::string_view path = index_.modules()[m].path;
    if (is_alone && is_path_from(text.path, path, written)) alone_.try_emplace(m, Start{within, call.range});
    if (!is_alone && is_path_of(path, written)) several_.insert(m);
  }
}

// Of the files that the script comes to by imports those in its folder, and in folders below: what lies elsewhere
// serves many scripts.
std::vector<bool> StartedAlone::own_files(ModuleKey script) const {
  const std::string_view path = index_.modules()[script].path;
  const std::string_view folder = path.substr(0, path.rfind('/') + 1);
  std::vector<bool> files = program_.sharding().files_below(script);
  for (uint32_t m = 0; m < files.size(); ++m)
    if (files[m]) files[m] = index_.modules()[ModuleKey{m}].path.starts_with(folder);
  return files;
}

// By the names of calls that do so.
bool StartedAlone::may_start_ranks(ModuleKey module) const {
  const ir::Module& text = index_.modules()[module];
  std::set<std::string_view> names;
  for (const std::string& name : program_.models().roles().names_in(Role::StartsProcesses))
    names.insert(last_part(name));
  for (uint32_t s = 0; s < text.symbols.size(); ++s)
    if (names.contains(text.text(Symbol{s}))) return true;
  return false;
}

const StartedAlone::Start* StartedAlone::of(FunctionKey f) const {
  if (alone_.empty() || several_.empty()) return nullptr;
  const Start* found = nullptr;
  std::set<ModuleKey> seen{index_.functions()[program_.original_of(f)].module};
  std::vector<ModuleKey> work(seen.begin(), seen.end());
  while (!work.empty()) {
    const ModuleKey file = work.back();
    work.pop_back();
    for (const ModuleKey importer : program_.sharding().importers_of(file))
      if (seen.insert(importer).second) work.push_back(importer);
    const auto alone = alone_.find(file);
    if (several_.contains(file)) return nullptr;
    if (alone == alone_.end() && is_run_as_program(index_.modules()[file])) return nullptr;
    if (alone == alone_.end()) continue;
    if (start_ranks_.contains(file)) return nullptr;
    found = &alone->second;
  }
  return found;
}

}  // namespace ranklint
