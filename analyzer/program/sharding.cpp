#include "analyzer/program/sharding.h"

#include <algorithm>
#include <string_view>

#include "analyzer/program/imports.h"
#include "analyzer/program/run_programs.h"

namespace ranklint {
ShardingMentions::ShardingMentions(const ProjectIndex& index, const Models& models, const UsedNames& used)
    : index_(index),
      models_(models),
      imports_(index.modules().size()),
      importers_(index.modules().size()),
      reached_(index.modules().size()),
      names_kind_(index.modules().size()),
      used_(used) {
  for (ModuleKey m{0}; m.index < index.modules().size(); ++m.index) {
    const ir::Module& module = index.modules()[m];
    for (const ir::Start& start : module.starts) take_choice(start);
    if (module.has(ir::Convention::NotImported)) continue;
    find_imports(m);
    names_kind_[m.index] = names(module, NameMeaning::ShardingKind);
    if (names_kind_[m.index] || names(module, NameMeaning::ShardingOption)) reached_[m.index] = true;
  }
  spread(importers_, names_kind_);
  spread(importers_, reached_);
  spread(imports_, reached_);
}

void ShardingMentions::find_imports(ModuleKey m) {
  imports_[m.index] = imported_modules(index_, m);
  for (const ModuleKey imported : imports_[m.index]) importers_[imported.index].push_back(m);
}

// For the script that it starts; for all where it is not known.
void ShardingMentions::take_choice(const ir::Start& start) {
  const bool chooses = std::ranges::any_of(
      start.words, [&](const std::string& word) { return models_.names().suggest(word, NameMeaning::ShardingOption); });
  for (uint32_t m = 0; chooses && m < reached_.size(); ++m)
    if (start.script.empty() || is_path_of(index_.modules()[ModuleKey{m}].path, start.script)) reached_[m] = true;
}

bool ShardingMentions::names(const ir::Module& module, NameMeaning meaning) const {
  for (uint32_t s = 0; s < module.symbols.size(); ++s)
    if (models_.names().suggest(module.text(Symbol{s}), meaning)) return true;
  return false;
}

bool ShardingMentions::reach(FunctionKey f) const {
  const ModuleKey module = index_.functions()[f].module;
  return reach(module) && (names_kind_[module.index] || used_.may_use(f));
}

std::vector<ModuleKey> ShardingMentions::files_around(ModuleKey module) const {
  std::vector<bool> reached(imports_.size());
  reached[module.index] = true;
  spread(importers_, reached);
  spread(imports_, reached);
  std::vector<ModuleKey> files;
  for (uint32_t m = 0; m < reached.size(); ++m)
    if (reached[m]) files.push_back(ModuleKey{m});
  return files;
}

std::vector<bool> ShardingMentions::files_below(ModuleKey module) const {
  std::vector<bool> reached(imports_.size());
  reached[module.index] = true;
  spread(imports_, reached);
  return reached;
}

void ShardingMentions::spread(const std::vector<std::vector<ModuleKey>>& edges, std::vector<bool>& reached) {
  std::vector<uint32_t> left;
  for (uint32_t m = 0; m < reached.size(); ++m)
    if (reached[m]) left.push_back(m);
  while (!left.empty()) {
    const uint32_t m = left.back();
    left.pop_back();
    for (const ModuleKey next : edges[m]) {
      if (reached[next.index]) continue;
      reached[next.index] = true;
      left.push_back(next.index);
    }
  }
}

}  // namespace ranklint
