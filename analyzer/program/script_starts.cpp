#include "analyzer/program/script_starts.h"

#include <algorithm>

#include "analyzer/program/run_programs.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {

ScriptStarts::ScriptStarts(const Program& program) : program_(program), index_(program.index()) {
  for (ModuleKey m{0}; m.index < index_.modules().size(); ++m.index)
    for (const ir::Start& start : index_.modules()[m].starts) take(m, start);
  find_processes();
  if (alone_.empty() || several_.empty()) return;
  const RankLibraries libraries(program);
  const std::vector<bool> starting = name_what_starts_processes();
  for (const auto& [script, _] : alone_) {
    const std::vector<bool> files = own_files(script);
    bool starts = libraries.are_used_in(files);
    for (size_t m = 0; m < files.size(); ++m) starts |= files[m] && starting[m];
    if (starts) start_ranks_.insert(script);
  }
}

void ScriptStarts::take(ModuleKey commands, const ir::Start& start) {
  if (start.script.empty()) return;
  const bool is_alone = start.words.empty();
  const FunctionKey within = index_.key(commands, ir::FunctionId{0});
  for (ModuleKey m{0}; m.index < index_.modules().size(); ++m.index) {
    const std::string_view path = index_.modules()[m].path;
    if (is_alone && is_path_from(index_.modules()[commands].path, path, start.script))
      alone_.try_emplace(m, Start{within, start.range});
    if (!is_alone && is_path_of(path, start.script)) several_.insert(m);
  }
}

// What processes run that are numbered is several.
void ScriptStarts::find_processes() {
  for (const auto& [run, parameters] : program_.numbered_parameters())
    if (!parameters.empty()) several_.insert(index_.functions()[run].module);
}

// Of the files that the script comes to by imports those in its folder, and in folders below: what lies elsewhere
// serves many scripts.
std::vector<bool> ScriptStarts::own_files(ModuleKey script) const {
  const std::string_view folder = folder_of(index_.modules()[script].path);
  std::vector<bool> files = program_.sharding().files_below(script);
  for (uint32_t m = 0; m < files.size(); ++m)
    if (files[m]) files[m] = index_.modules()[ModuleKey{m}].path.starts_with(folder);
  return files;
}

// True for each module that names a call that starts processes.
std::vector<bool> ScriptStarts::name_what_starts_processes() const {
  std::set<std::string_view> names;
  const std::vector<std::string>& starting = program_.models().roles().names_in(Role::StartsProcesses);
  for (const std::string& name : starting) names.insert(last_part(name));
  std::vector<bool> all;
  for (const ir::Module& module : index_.modules()) {
    bool is_named = false;
    for (uint32_t s = 0; s < module.symbols.size(); ++s) is_named |= names.contains(module.text(Symbol{s}));
    all.push_back(is_named);
  }
  return all;
}

// The files that the function is part of.
std::vector<ModuleKey> ScriptStarts::programs_of(FunctionKey f) const {
  return files_above(program_, index_.functions()[program_.original_of(f)].module);
}

bool ScriptStarts::as_several(FunctionKey f) const {
  return !several_.empty() &&
         std::ranges::any_of(programs_of(f), [&](ModuleKey file) { return several_.contains(file); });
}

const ScriptStarts::Start* ScriptStarts::alone(FunctionKey f) const {
  if (alone_.empty() || several_.empty()) return nullptr;
  const Start* found = nullptr;
  for (const ModuleKey file : programs_of(f)) {
    const auto alone = alone_.find(file);
    const bool may_be_program =
        program_.sharding().importers_of(file).empty() || is_run_as_program(index_.modules()[file]);
    if (several_.contains(file) || start_ranks_.contains(file)) return nullptr;
    if (alone == alone_.end() && may_be_program) return nullptr;
    if (alone != alone_.end()) found = &alone->second;
  }
  return found;
}

}  // namespace ranklint
